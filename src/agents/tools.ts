/** Tools that run in the page. Source: the contract, `tools`. */
import type { ToolSpec } from '../model/agent.ts';

/** A schema of a validation library that can show itself as JSON Schema, such as zod's. */
interface JsonSchemaSource {
  toJSONSchema?(): object;
}

interface ClientToolBase {
  readonly name: string;
  readonly description: string;
  /** The reader is asked before each call. A function decides by the arguments. */
  readonly needsApproval?: boolean | ((args: unknown) => boolean);
  /**
   * What the reader is asked before a call, as a sentence: “Send an email to Ann?”. Without it they are asked by the tool's name.
   * What it throws, or leaves out, falls back to that.
   */
  readonly question?: (args: unknown) => string | undefined;
  /** Runs the call. What it returns goes back to the agent, what it throws goes back as an error. */
  execute(args: unknown, options: { readonly signal: AbortSignal }): unknown;
}

/** `parameters` (or `inputSchema`, as others call it) is a JSON Schema or a schema that can show itself as one. */
export type ClientTool = ClientToolBase &
  (
    | { readonly parameters: object; readonly inputSchema?: never }
    | { readonly inputSchema: object; readonly parameters?: never }
  );

/** A tool as an agent is told of it. */
export function specOf({ name, description, parameters, inputSchema }: ClientTool): ToolSpec {
  const schema: JsonSchemaSource = parameters ?? inputSchema;
  return { name, description, parameters: schema.toJSONSchema?.() ?? schema };
}

/** The answer of a tool as the text that goes back to the agent. */
export const resultText = (result: unknown): string => (typeof result === 'string' ? result : (jsonOf(result) ?? ''));

/** Undefined for what JSON has no word for, such as a function: the platform's types don't say so. */
const jsonOf = (value: unknown): string | undefined => JSON.stringify(value);
