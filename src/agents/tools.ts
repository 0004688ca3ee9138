/** Tools that run in the page. */
import type { ToolSpec } from '../model/agent.ts';

/** A schema of a validation library that converts to JSON Schema, such as one of zod. */
interface JsonSchemaSource {
  toJSONSchema?(): object;
}

interface ClientToolBase {
  readonly name: string;
  readonly description: string;
  /**
   * Whether the user must approve each call. A function decides by the arguments. It is called only with arguments that have the types
   * which `parameters` states, at any depth; the user is always asked about other ones, and if it throws. Nothing is validated before
   * `execute`.
   */
  readonly needsApproval?: boolean | ((args: unknown) => boolean);
  /** False: "Always allow" is not offered, and an earlier one does not cover this tool. Default: true. */
  readonly rememberable?: boolean;
  /**
   * The approval question as a sentence, such as “Send an email to Ann?”. If it is missing, throws or returns
   * undefined, the question contains the tool's name. If it throws, or returns a promise, "Always allow" is not offered.
   */
  readonly question?: (args: unknown) => string | undefined;
  /** Runs the call. The returned value is sent to the agent as the result, a thrown error as an error. */
  execute(args: unknown, options: { readonly signal: AbortSignal }): unknown;
}

/**
 * A tool that runs in the page. `parameters` (or `inputSchema`) is a JSON Schema, or a schema object that converts to
 * one. A tool without either has no arguments.
 */
export type ClientTool = ClientToolBase &
  (
    | { readonly parameters?: object; readonly inputSchema?: never }
    | { readonly inputSchema: object; readonly parameters?: never }
  );

/** The description of a tool that is sent to an agent. */
export function toToolSpec({ name, description, parameters, inputSchema }: ClientTool): ToolSpec {
  const schema: JsonSchemaSource = parameters ?? inputSchema ?? { type: 'object', properties: {} };
  return { name, description, parameters: schema.toJSONSchema?.() ?? schema };
}

/** The result of a tool as text for the agent. */
export const resultText = (result: unknown): string => (typeof result === 'string' ? result : (jsonOf(result) ?? ''));

/** Returns undefined for values without a JSON form, such as functions. The platform's types don't declare that. */
const jsonOf = (value: unknown): string | undefined => JSON.stringify(value);
