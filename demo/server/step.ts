/**
 * The steps of an agent, independent of the protocol. A scenario is a list of steps. Each protocol's writer sends those
 * that the protocol supports, and the others as Markdown.
 */

/** A message that a tool has found. The text of an answer cites it as `[cite:id]`. */
export interface Source {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** The cited text. */
  readonly text: string;
  readonly sender: string;
  readonly senderId: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

export interface Call {
  readonly id: string;
  readonly name: string;
  /** A description of the call for the user. */
  readonly description: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Progress {
  /** 0 to 1. */
  readonly share: number;
  readonly message: string;
}

type ToolOutcome =
  | { readonly result: unknown }
  | { readonly failure: { readonly message: string; readonly code: string } };

/** The result of a tool, as text. */
export const outcomeText = (outcome: ToolOutcome): string =>
  'failure' in outcome ? outcome.failure.message : JSON.stringify(outcome.result);

export type Cell = string | number;

/** The two branches of a question. After a branch the rest of the script continues. */
interface Branches {
  /** The question as text, for protocols without questions. */
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
    /** Duration in paces; see `Wire.wait`. */
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
  /** Data in a format that only its sender knows. */
  record: { readonly name: string; readonly description: string; readonly value: Readonly<Record<string, unknown>> };
  /** A2UI messages, which describe a form or the like. */
  surface: {
    readonly id: string;
    /** The text for protocols that do not support it. */
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
  /** Calls that the page itself runs, in parallel. */
  pageTools: Branches & {
    readonly calls: readonly Call[];
    /** The text for protocols that do not transmit the results of the calls. */
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
  /** The agent that speaks from here on. */
  speaker: { readonly name: string; readonly role: string };
}

export type StepName = keyof Steps;
export type Step = { readonly [Name in StepName]: { readonly type: Name } & Steps[Name] }[StepName];
/** One member of the union by its name. */
export type StepOf<Name extends StepName> = Extract<Step, { readonly type: Name }>;

/** A step after which the agent needs an answer. */
export type WaitingStep = StepOf<'permission' | 'toolLimit' | 'pageTools'>;

export const waits = (step: Step): step is WaitingStep =>
  step.type === 'permission' || step.type === 'toolLimit' || step.type === 'pageTools';
