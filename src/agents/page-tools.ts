/**
 * Tools that the page has registered with WebMCP, as client tools. Browsers and polyfills read registered tools in
 * different ways, so all known ways are tried. Source: https://webmachinelearning.github.io/webmcp/
 */
import { parseJson } from '../model/json.ts';
import type { ClientTool } from './tools.ts';

interface ListedTool {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
}

/** The methods of browsers and polyfills, the newer names first. */
interface ModelContext {
  getTools?(): unknown;
  listTools?(): unknown;
  executeTool?(name: string, input: unknown): unknown;
  callTool?(call: { readonly name: string; readonly arguments: unknown }): unknown;
}

export interface ModelContextHost {
  readonly modelContext?: ModelContext;
  readonly modelContextTesting?: ModelContext;
}

/**
 * The registered tools that the page allows: `*`, or names separated by spaces. Every call asks the user, because the
 * tool may not have been written with this agent in mind.
 */
export async function listWebMcpTools(allowed: string, host: ModelContextHost): Promise<readonly ClientTool[]> {
  const names = new Set(allowed.split(/\s+/).filter((name) => name !== ''));
  if (names.size === 0) return [];
  const context = [host.modelContext, host.modelContextTesting].find(
    (candidate) => candidate?.getTools ?? candidate?.listTools,
  );
  if (!context) return [];
  const listed = await (context.getTools?.() ?? context.listTools?.());
  return (Array.isArray(listed) ? (listed as readonly ListedTool[]) : []).flatMap((tool): readonly ClientTool[] => {
    const { name, description } = tool;
    if (typeof name !== 'string' || !(names.has('*') || names.has(name))) return [];
    return [
      {
        name,
        description: typeof description === 'string' ? description : '',
        parameters: schemaOf(tool.inputSchema),
        needsApproval: true,
        execute: (args) => call(context, host, name, args),
      },
    ];
  });
}

/** Chrome's testing interface returns schemas and takes arguments as JSON text. */
function schemaOf(schema: unknown): object {
  const value = typeof schema === 'string' ? parseJson(schema) : schema;
  return typeof value === 'object' && value !== null ? value : { type: 'object' };
}

async function call(context: ModelContext, host: ModelContextHost, name: string, args: unknown): Promise<unknown> {
  const result = await (context.callTool
    ? context.callTool({ name, arguments: args })
    : context.executeTool?.(name, context === host.modelContextTesting ? JSON.stringify(args) : args));
  const answer = typeof result === 'string' ? (parseJson(result) ?? result) : result;
  if (!isToolResult(answer)) return answer;
  const text = answer.content.map((item) => item.text ?? JSON.stringify(item)).join('\n');
  if (answer.isError === true) throw new Error(text || 'The tool failed.');
  return text;
}

interface ToolResult {
  readonly content: readonly { readonly text?: string }[];
  readonly isError?: boolean;
}
const isToolResult = (value: unknown): value is ToolResult =>
  typeof value === 'object' &&
  value !== null &&
  'content' in value &&
  Array.isArray(value.content) &&
  value.content.every((item) => typeof item === 'object' && item !== null);
