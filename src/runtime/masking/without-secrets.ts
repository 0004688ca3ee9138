import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';

/**
 * Removes the passwords that the user entered in an agent's form: `secrets` of the sent data names them. The data model
 * of the form contains them as well.
 */
export function withoutSecrets<Message extends Pick<ChatMessage, 'metadata'>>(message: Message): Message {
  const data = message.metadata?.['data'];
  if (!isRecord(data) || !Array.isArray(data['secrets'])) return message;
  const { context, dataModel: _dataModel, secrets, ...rest } = data;
  const names = secrets as readonly unknown[];
  const open = Object.entries(isRecord(context) ? context : {}).filter(([name]) => !names.includes(name));
  return { ...message, metadata: { ...message.metadata, data: { ...rest, context: Object.fromEntries(open) } } };
}
