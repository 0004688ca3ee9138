/** Tool calls without a result, and the permission questions about tools that run in the page. */
import type { ClientTool } from '../../agents/tools.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { canonicalArguments } from '../../model/canonical-arguments.ts';
import { ownBlocks } from '../../model/own-blocks.ts';
import { isSameId } from '../../model/same-id.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { Run } from '../../conversation/run.ts';

/** A tool call without a result. */
export type OpenCall = BlockOf<'tool_call'>;

/** Returns the tool calls without a result. Excludes calls that the server or one of its sub-agents runs. */
export const openCalls = (run: Run): readonly OpenCall[] =>
  run.messages.flatMap((message) =>
    ownBlocks(message).flatMap((block) =>
      block.type === 'tool_call' && block.status === 'loading' && block.extra?.['remote'] !== true ? [block] : [],
    ),
  );

/**
 * Whether a question equals the one that would be asked now. The text of a question in a stored or imported conversation may differ from
 * it, or the question may refer to no open call. The user's answer would then approve something else than the user has read.
 */
export function isCurrentQuestion(
  question: BlockOf<'action'>,
  tools: readonly ClientTool[],
  calls: readonly OpenCall[],
): boolean {
  const call = calls.find((candidate) => isQuestionAbout(question, candidate));
  const tool = tools.find(({ name }) => name === call?.tool_call.name);
  const { tool_call: shownCall, content = '', extra } = question;
  // The host page's tools are not validated, so any field may be missing.
  const { description = '' }: Partial<ClientTool> = tool ?? {};
  if (!call || !tool) return false;
  const expected = questionFields(tool, call);
  return (
    shownCall?.name === tool.name &&
    // A tool of the page has no server.
    (shownCall.server_name ?? extra?.['serverName'] ?? '') === '' &&
    content === description &&
    extra?.['question'] === expected['question'] &&
    extra?.['rememberable'] === expected['rememberable'] &&
    canonicalArguments(shownCall.params ?? '') === canonicalArguments(call.tool_call.params ?? '')
  );
}

/** Whether the widget, not the server, has asked the question, because it is about a tool that runs in the page. */
export const isAnswerForPage = ({ actionType, callBlockId, extra }: Answer): boolean =>
  actionType === 'tool_call_permission' && callBlockId !== undefined && extra?.['byPage'] === true;

/** Whether the question is about this call of a tool that runs in the page. */
export const isQuestionAbout = (
  { callBlockId, extra }: Pick<BlockOf<'action'>, 'callBlockId' | 'extra'>,
  call: OpenCall,
): boolean => isSameId(callBlockId, call.id) && extra?.['byPage'] === true;

/**
 * Returns the `extra` fields of the question about a call of a page's tool. A stream can't set these fields: see
 * `runtime/stream/strip-reserved-fields.ts`.
 */
export function questionFields(
  tool: ClientTool | undefined,
  call: OpenCall,
): Readonly<Record<string, string | boolean>> {
  let question: unknown;
  try {
    question = tool?.question?.(argumentsOf(call));
  } catch {
    // The tool's `question()` may throw on unexpected arguments.
    question = null;
  }
  const isValid = question === undefined || typeof question === 'string';
  // Otherwise, also after a promise, the question contains the tool's name, which "Always allow" would extend to calls with a question.
  const isRememberable = isValid && tool?.rememberable !== false;
  return {
    byPage: true,
    ...(typeof question === 'string' && question !== '' && { question }),
    ...(!isRememberable && { rememberable: false }),
  };
}

/** Returns the parsed arguments. Invalid JSON (a truncated stream, a free-text tool) stays a string. */
export function argumentsOf({ tool_call: { params = '' } }: OpenCall): unknown {
  if (params.trim() === '') return {};
  try {
    return JSON.parse(params) as unknown;
  } catch {
    return params;
  }
}
