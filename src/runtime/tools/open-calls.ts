/** Calls without a result of the host page's tools, and the permission questions that the widget asks before it runs them. */
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
 * Whether the widget would ask the same question now. A question of a stored or imported conversation may show another text or
 * other arguments than the call has, or belong to no call. Then its answer does not count for the call.
 */
export function isCurrentQuestion(
  question: BlockOf<'action'>,
  tools: readonly ClientTool[],
  open: readonly OpenCall[],
): boolean {
  const call = open.find((candidate) => isQuestionAbout(question, candidate));
  const tool = tools.find(({ name }) => name === call?.tool_call.name);
  const { tool_call: shownCall, content = '', extra } = question;
  // The host page's tools are not validated, so any field may be missing.
  const { description = '' }: Partial<ClientTool> = tool ?? {};
  if (!call || !tool) return false;
  const expected = questionFields(tool, call);
  return (
    shownCall?.name === tool.name &&
    // A question that shows a server's name is about a tool of that server.
    (shownCall.server_name ?? extra?.['serverName'] ?? '') === '' &&
    content === description &&
    extra?.['question'] === expected['question'] &&
    extra?.['rememberable'] === expected['rememberable'] &&
    canonicalArguments(shownCall.params ?? '') === canonicalArguments(call.tool_call.params ?? '')
  );
}

/** Whether it answers a question that the widget, not a server, has asked about a tool of the host page. */
export const isAnswerForPage = ({ actionType, callBlockId, extra }: Answer): boolean =>
  actionType === 'tool_call_permission' && callBlockId !== undefined && extra?.['byPage'] === true;

/** Whether the widget, not a server, has asked this question about the call. */
export const isQuestionAbout = (
  { callBlockId, extra }: Pick<BlockOf<'action'>, 'callBlockId' | 'extra'>,
  call: OpenCall,
): boolean => isSameId(callBlockId, call.id) && extra?.['byPage'] === true;

/**
 * The `extra` fields that mark and describe a question about a tool of the host page. A server can't set them: they are removed
 * from its stream in `runtime/stream/strip-reserved-fields.ts`.
 */
export function questionFields(
  tool: ClientTool | undefined,
  call: OpenCall,
): Readonly<Record<string, string | boolean>> {
  let question: string | undefined;
  try {
    question = tool?.question?.(argumentsOf(call));
  } catch {
    // The page's function may fail on unexpected arguments. Then the question shows the tool's name.
  }
  return { byPage: true, ...(question && { question }), ...(tool?.rememberable === false && { rememberable: false }) };
}

/** The parsed arguments. Text that is not JSON (a truncated stream, a tool with free text) is returned as a string. */
export function argumentsOf({ tool_call: { params = '' } }: OpenCall): unknown {
  if (params.trim() === '') return {};
  try {
    return JSON.parse(params) as unknown;
  } catch {
    return params;
  }
}
