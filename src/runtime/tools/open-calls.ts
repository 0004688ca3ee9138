/** Tool calls without a result, and the questions that the page asks about them. */
import type { ClientTool } from '../../agents/tools.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { canonicalArguments } from '../../model/canonical-arguments.ts';
import { ownBlocks } from '../../model/own-blocks.ts';
import { isSameId } from '../../model/same-id.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { Run } from '../../conversation/run.ts';

/** A tool call without a result. */
export type OpenCall = BlockOf<'tool_call'>;

/** The calls without a result. Excludes those that the server or one of its sub-agents runs. */
export const openCalls = (run: Run): readonly OpenCall[] =>
  run.messages.flatMap((message) =>
    ownBlocks(message).flatMap((block) =>
      block.type === 'tool_call' && block.status === 'loading' && block.extra?.['remote'] !== true ? [block] : [],
    ),
  );

/**
 * Whether the page would still ask this question about its tool. A stored or imported conversation may contain a different
 * text for the same call, or a question without a call.
 */
export function isCurrentQuestion(
  question: BlockOf<'action'>,
  tools: readonly ClientTool[],
  open: readonly OpenCall[],
): boolean {
  const call = open.find((one) => isQuestionAbout(question, one));
  const tool = tools.find(({ name }) => name === call?.tool_call.name);
  const { tool_call: shown, content = '', extra } = question;
  // The host page's tools are not validated, so any field may be missing.
  const { description = '' }: Partial<ClientTool> = tool ?? {};
  if (!call || !tool) return false;
  const expected = questionFields(tool, call);
  return (
    shown?.name === tool.name &&
    (shown.server_name ?? extra?.['serverName'] ?? '') === '' &&
    content === description &&
    extra?.['question'] === expected['question'] &&
    extra?.['rememberable'] === expected['rememberable'] &&
    canonicalArguments(shown.params ?? '') === canonicalArguments(call.tool_call.params ?? '')
  );
}

/** Whether the answer is to a question that the page, not a server, asked about one of its tools. */
export const isAnswerForPage = ({ actionType, callBlockId, extra }: Answer): boolean =>
  actionType === 'tool_call_permission' && callBlockId !== undefined && extra?.['byPage'] === true;

/** Whether the page asked this question about the call. */
export const isQuestionAbout = (
  { callBlockId, extra }: Pick<BlockOf<'action'>, 'callBlockId' | 'extra'>,
  call: OpenCall,
): boolean => isSameId(callBlockId, call.id) && extra?.['byPage'] === true;

/**
 * The `extra` fields of the page's question about a tool call. A stream can't set them: see
 * `runtime/stream/strip-reserved-fields.ts`.
 */
export function questionFields(
  tool: ClientTool | undefined,
  call: OpenCall,
): Readonly<Record<string, string | boolean>> {
  let question: string | undefined;
  try {
    question = tool?.question?.(argumentsOf(call));
  } catch {
    // Unexpected arguments: the question uses the tool's name.
  }
  return { byPage: true, ...(question && { question }), ...(tool?.rememberable === false && { rememberable: false }) };
}

/** The arguments as JSON. Invalid JSON (a truncated stream, a free-text tool) stays a string. */
export function argumentsOf({ tool_call: { params = '' } }: OpenCall): unknown {
  if (params.trim() === '') return {};
  try {
    return JSON.parse(params) as unknown;
  } catch {
    return params;
  }
}
