/** Requests of the assistant transport: the new message or the results of calls as commands, and the shared state. */
import { toAttachment } from '../../model/attachment.ts';
import { parseJson } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { resultWithEdit } from '../shared/edited-arguments.ts';
import { isInline, toDataUrl } from '../shared/files/sent-files.ts';
import { systemText } from '../shared/system-text.ts';

export function assistantTransportRequest(
  turn: Turn,
  { url, headers = {}, tools = [], ...options }: RequestOptions,
): WireRequest {
  const system = systemText(options);
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: {
        commands: [...resultCommands(turn), ...messageCommands(turn)],
        state: stateBefore(turn) ?? null,
        threadId: turn.threadId,
        ...(system && { system }),
        ...(tools.length > 0 && { tools: Object.fromEntries(tools.map(({ name, ...tool }) => [name, tool])) }),
      },
    },
  };
}

/** The shared state at the end of the last reply. */
export const stateBefore = ({ messages }: Turn): unknown =>
  messages.findLast(({ metadata }) => metadata?.['agentState'] !== undefined)?.metadata?.['agentState'];

/** The results of the calls that the last stream left to the page. */
function resultCommands({ messages }: Turn): readonly object[] {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const open = last?.metadata?.['openCalls'];
  if (!last || !Array.isArray(open)) return [];
  return last.blocks.flatMap((block) => {
    if (block.type !== 'tool_call' || !open.includes(block.tool_call.id)) return [];
    const { id, name = '' } = block.tool_call;
    const response = resultWithEdit(block, last.blocks);
    const result = response === undefined ? 'The call was not finished.' : (parseJson(response) ?? response);
    return [{ type: 'add-tool-result', toolCallId: id, toolName: name, result, isError: block.status !== 'success' }];
  });
}

/** The new message of the user. The empty message of the running reply may follow it. */
function messageCommands({ messages }: Turn): readonly object[] {
  const last = messages.findLast(({ role, blocks }) => role === 'user' || blocks.length > 0);
  return last?.role === 'user'
    ? [{ type: 'add-message', message: { role: 'user', parts: userParts(last) }, parentId: null, sourceId: null }]
    : [];
}

/** Parts of a user message: text, images, and files by their URL or as a data URL. */
const userParts = ({ blocks }: ChatMessage): readonly object[] =>
  blocks.flatMap((block): readonly object[] => {
    if (block.type === 'content') return [{ type: 'text', text: block.content }];
    return toAttachment(block).map((file) => {
      const url = isInline(file) ? toDataUrl(file) : (file.url ?? '');
      if (file.kind === 'image') return { type: 'image', image: url };
      return { type: 'file', data: url, mimeType: file.mimeType ?? '', ...(file.name && { filename: file.name }) };
    });
  });
