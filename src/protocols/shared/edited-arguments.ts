/** Arguments that the user changed before a client tool ran: the agent must know which arguments were used. */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import { canonicalArguments } from '../../model/canonical-arguments.ts';
import { isRecord, parseJson } from '../../model/json.ts';

type Call = BlockOf<'tool_call'>;

/**
 * Returns the executed arguments of a call as JSON text. If they are equal to `sent`, returns `sent` itself, so that
 * the server receives exactly its own text.
 */
export function ranArguments(sent: string, call: Call | undefined): string {
  const used = call?.tool_call.params ?? '';
  return used.trim() === '' || canonicalArguments(used) === canonicalArguments(sent || '{}') ? sent : used;
}

/** The same as `ranArguments`, for protocols whose arguments are an object. */
export function ranInput(sent: unknown, call: Call | undefined): unknown {
  const text = JSON.stringify(sent ?? {});
  const used = ranArguments(text, call);
  const input = used === text ? sent : parseJson(used);
  return isRecord(input) ? input : sent;
}

/**
 * Returns the result of a call, for servers that store the call and have no field for changed arguments. The result
 * text describes the changed arguments.
 *
 * @param blocks - the blocks of the reply
 */
export function resultWithEdit(call: Call, blocks: readonly AssistantMessageBlock[]): string | undefined {
  const { id, params, response } = call.tool_call;
  const isEdited = blocks.some(
    (block) => block.type === 'action' && block.tool_call?.id === id && block.extra?.['edited'] === true,
  );
  if (!isEdited || response === undefined) return response;
  return `The user changed the arguments of this call to ${params ?? '{}'}. Result: ${response}`;
}
