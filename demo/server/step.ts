/**
 * What an agent does, in no protocol's words. A scenario is a list of these; each protocol's writer says them as far as the
 * protocol has a place for them, and what it has none for is said in Markdown.
 */

/** A message that a tool has found. The text of an answer cites it as `[cite:id]`. */
export interface Source {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** The words that are cited. */
  readonly text: string;
  readonly sender: string;
  readonly senderId: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

export interface Call {
  readonly id: string;
  readonly name: string;
  /** What it does, in words for the reader. */
  readonly description: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Progress {
  /** 0 to 1. */
  readonly share: number;
  readonly message: string;
}

type ToolOutcome =
  { readonly result: unknown } | { readonly failure: { readonly message: string; readonly code: string } };

/** What a tool gives back, as text. */
export const outcomeText = (outcome: ToolOutcome): string =>
  'failure' in outcome ? outcome.failure.message : JSON.stringify(outcome.result);

export type Cell = string | number;

/** Both ways a question can go. Behind a branch the rest of the script goes on. */
interface Branches {
  /** How it is asked where the protocol can only talk. */
  readonly question: string;
  readonly granted: readonly Step[];
  readonly denied: readonly Step[];
}

interface Steps {
  think: { readonly text: string; readonly stage?: 'reasoning' | 'planning' | 'analyzing' };
  /** Markdown; `[cite:id]` marks a source. */
  text: { readonly text: string };
  tool: Call & {
    readonly server?: string;
    /** How long it takes, in paces; see `Wire.wait`. */
    readonly paces: number;
    readonly progress?: readonly Progress[];
    readonly outcome: ToolOutcome;
    readonly summary: string;
    readonly sources?: readonly Source[];
  };
  table: {
    readonly name: string;
    readonly description: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly Cell[])[];
  };
  chart: {
    readonly name: string;
    readonly description: string;
    readonly kind: 'line' | 'bar';
    readonly labels: readonly string[];
    readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  };
  image: { readonly description: string; readonly mimeType: string; readonly data: string };
  /** Data of a shape that only its sender knows. */
  record: { readonly name: string; readonly description: string; readonly value: Readonly<Record<string, unknown>> };
  /** Messages of A2UI, which make a form or the like. */
  surface: {
    readonly id: string;
    /** What is said where the protocol has no place for it. */
    readonly description: string;
    readonly messages: readonly Readonly<Record<string, unknown>>[];
  };
  permission: Branches & {
    readonly call: Call;
    readonly server: string;
    readonly access: 'read' | 'write' | 'all';
    readonly reason: string;
  };
  toolLimit: Branches;
  /** Calls that the page itself runs, all at once. */
  pageTools: Branches & {
    readonly calls: readonly Call[];
    /** What is said where the protocol does not tell how the calls went. */
    readonly unknown: readonly Step[];
  };
  rateLimit: {
    readonly providerId: string;
    readonly qpsLimit: number;
    readonly currentQps: number;
    readonly queueLength: number;
    readonly paces: number;
  };
  error: {
    readonly kind: 'validation' | 'execution' | 'timeout' | 'system';
    readonly code: string;
    readonly message: string;
    readonly recoverable: boolean;
    readonly details: Readonly<Record<string, unknown>>;
  };
  suggestions: { readonly items: readonly string[] };
  /** Who speaks from here on. */
  speaker: { readonly name: string; readonly role: string };
}

export type StepName = keyof Steps;
export type Step = { readonly [Name in StepName]: { readonly type: Name } & Steps[Name] }[StepName];
/** One member by its name. */
export type StepOf<Name extends StepName> = Extract<Step, { readonly type: Name }>;

/** A step behind which the agent needs an answer. */
export type WaitingStep = StepOf<'permission' | 'toolLimit' | 'pageTools'>;

export const waits = (step: Step): step is WaitingStep =>
  step.type === 'permission' || step.type === 'toolLimit' || step.type === 'pageTools';
