/** Builds the requests to Flowise. Source: `docs/protocols/flowise.md`; FlowiseAI/Flowise. */
import type { Media } from '../../model/blocks.ts';
import { textOf } from '../../model/message-text.ts';
import { pathSegment } from '../shared/request-urls.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { fileName, isInline, sentFiles, toDataUrl, toForm } from '../shared/files/sent-files.ts';
import { newestMetadata } from '../shared/last-metadata.ts';
import { APPROVES, DENIES } from '../core/decision-words.ts';
import type { Answer, FeedbackInput, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';

export async function flowiseRequest(turn: Turn, options: RequestOptions): Promise<WireRequest> {
  const { url, headers = {}, system, context } = options;
  const chatId = chatIdOf(turn);
  const session = newestMetadata(turn.messages, 'sessionId');
  const uploads = await Promise.all(sentFiles(turn).map((file) => toUpload(file, chatId, options)));
  const contextText = typeof context === 'string' ? context : JSON.stringify(context ?? undefined);
  const overrideConfig = {
    ...(session !== undefined && session !== chatId && { sessionId: session }),
    ...(system && { systemMessage: system }),
    ...(contextText && { vars: { context: contextText } }),
  };
  const history = newestMetadata(turn.messages, 'chatId') === undefined ? earlierMessages(turn) : [];
  // The server accepts one answer. It may ask twice about one step, and then waits for the last question: a no applies
  // to both.
  const answer = turn.answers.find(isRefused) ?? turn.answers.at(-1);
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: {
        question: turn.text,
        chatId,
        streaming: true,
        ...(Object.keys(overrideConfig).length > 0 && { overrideConfig }),
        ...(history.length > 0 && { history }),
        ...(uploads.length > 0 && { uploads }),
        ...(answer && toAnswer(answer)),
      },
    },
  };
}

export function flowiseCancel(turn: Turn, { url, headers = {} }: RequestOptions): WireRequest | undefined {
  const flow = parseFlowUrl(url);
  if (!flow) return undefined;
  const address = flow.urlOf(`chatmessage/abort/${flow.id}/${pathSegment(chatIdOf(turn))}`);
  return { url: address, init: { method: 'PUT', headers } };
}

/**
 * The request for feedback. There is one rating per message, created once and then changed by its id. It can't be removed.
 */
export function flowiseFeedback(
  feedback: FeedbackInput,
  turn: Turn,
  { url, headers = {} }: RequestOptions,
): WireRequest | undefined {
  const { message, value, comment, id } = feedback;
  const flow = parseFlowUrl(url);
  const messageId = message.metadata?.['chatMessageId'];
  if (!flow || typeof messageId !== 'string' || value === null) return undefined;
  const fields = {
    rating: ({ up: 'THUMBS_UP', down: 'THUMBS_DOWN' } as const)[value],
    ...(comment !== undefined && { content: comment }),
  };
  return id === undefined
    ? {
        url: flow.urlOf(`feedback/${flow.id}`),
        init: { method: 'POST', headers, body: { chatId: chatIdOf(turn), messageId, ...fields } },
      }
    : { url: flow.urlOf(`feedback/${pathSegment(id)}`), init: { method: 'PUT', headers, body: fields } };
}

/** The id of the chat. The server stores its history. */
export const chatIdOf = ({ messages, threadId }: Turn): string => newestMetadata(messages, 'chatId') ?? threadId;

interface Flow {
  /** The base of the server's API. */
  readonly api: string;
  readonly id: string;
  /** The URL of another resource of the API, with the query of the endpoint, which a proxy may need. */
  urlOf(path: string): string;
}

/** The flow of a prediction URL; undefined behind a proxy with other URLs. */
export function parseFlowUrl(url: string): Flow | undefined {
  const [, api, id] = /^(.*\/api\/v1)\/(?:internal-)?prediction\/([^/?#]+)/.exec(url) ?? [];
  if (api === undefined || id === undefined) return undefined;
  return { api, id, urlOf: (path) => `${api}/${path}${new URL(url).search}` };
}

/** The earlier messages with text, for a conversation that the server does not know. Models refuse an empty answer. */
const earlierMessages = (turn: Turn): readonly object[] =>
  sentHistory(turn)
    .slice(0, -1)
    .map((message) => ({ role: message.role, content: textOf(message) }))
    .filter(({ role, content }) => role === 'user' || (role === 'assistant' && content !== ''))
    .map(({ role, content }) => ({ role: role === 'user' ? 'userMessage' : 'apiMessage', content }));

/**
 * Converts a file. Images and audio are sent inline; the server extracts the text of other files first, if its URL is known.
 */
async function toUpload(file: Media, chatId: string, { url, headers = {}, ask }: RequestOptions): Promise<object> {
  const fields = { name: fileName(file), mime: file.mimeType ?? '' };
  if (!isInline(file)) return { type: 'url', data: file.url, ...fields };
  const flow = parseFlowUrl(url);
  if (file.kind === 'file' && flow) {
    const { json } = await ask({
      url: flow.urlOf(`attachments/${flow.id}/${pathSegment(chatId)}`),
      init: { method: 'POST', headers, body: toForm({}, 'files', [file]) },
    });
    const extracted: unknown = Array.isArray(json) ? json[0] : json;
    if (isRecord(extracted)) return { type: 'file:full', ...fields, data: extracted['content'] };
  }
  return { type: file.kind === 'audio' ? 'audio' : 'file', data: toDataUrl(file), ...fields };
}

interface Labels {
  readonly approve?: unknown;
  readonly reject?: unknown;
}

const PROCEEDS = /^proceed$/i;
const isYesWord = (label: unknown): boolean =>
  typeof label === 'string' && (APPROVES.test(label) || PROCEEDS.test(label));
const isNoWord = (label: unknown): boolean => typeof label === 'string' && DENIES.test(label);

/** The labels of the buttons; none if a label contradicts its button, because anybody may have written a stored question. */
function labelsOf({ extra: { approve, reject } = {} }: Answer): Labels {
  return isNoWord(approve) || isYesWord(reject) ? {} : { approve, reject };
}

/**
 * The label that the user has seen, if the value of the chosen option is different. The options of a server never differ, so
 * the question was changed.
 */
function relabelled({ payload, extra }: Answer): string | undefined {
  const options = Array.isArray(extra?.['options']) ? (extra['options'] as unknown[]).filter(isRecord) : [];
  const option = options.find(
    ({ label, value }) =>
      payload !== undefined && label !== payload && JSON.stringify(value) === JSON.stringify(payload),
  );
  return typeof option?.['label'] === 'string' ? option['label'] : undefined;
}

/** The text of the pressed button. */
const textOfAnswer = (answer: Answer): string | undefined =>
  relabelled(answer) ?? (typeof answer.payload === 'string' ? answer.payload : undefined);

/** The complete `humanInput`, which only the page can give: neither a button nor a form has it. */
const humanInputOf = (answer: Answer): Readonly<Record<string, unknown>> | undefined => {
  const { actionType, payload } = answer;
  const isOfPage = actionType === 'confirmation' && isRecord(payload) && relabelled(answer) === undefined;
  return isOfPage ? payload : undefined;
};

/** Text counts as a yes only if it is the label of the approving button or, without a known label, a word such as "yes". */
function isRefused(answer: Answer): boolean {
  const { decision, payload } = answer;
  if (decision === 'denied' || decision === 'dismissed') return true;
  const humanInput = humanInputOf(answer);
  if (humanInput) return humanInput['type'] !== 'proceed';
  const { approve, reject } = labelsOf(answer);
  const text = textOfAnswer(answer);
  if (decision === 'granted') return text === undefined ? payload === false : text === reject;
  return approve === undefined ? !isYesWord(text) : text !== approve;
}

/**
 * Converts an answer. A `payload` is the label of the pressed button, or the `humanInput` object; a note is the feedback.
 */
function toAnswer(answer: Answer): object {
  const { note = '', extra = {} } = answer;
  const { nodeId } = extra;
  const denied = isRefused(answer);
  const labels = labelsOf(answer);
  const label = textOfAnswer(answer) ?? (denied ? (labels.reject ?? 'No') : (labels.approve ?? 'Yes'));
  if (typeof nodeId !== 'string') return { question: label, action: actionOf(answer) };
  return {
    question: note || label,
    humanInput: humanInputOf(answer) ?? {
      type: denied ? 'reject' : 'proceed',
      startNodeId: nodeId,
      feedback: note,
    },
  };
}

/**
 * The action of the first version of agent flows, which tells the server what each label means; empty if the labels of the
 * question differ.
 */
function actionOf(answer: Answer): object {
  const { action } = answer.extra ?? {};
  const parsed = typeof action === 'string' ? parseJson(action) : undefined;
  if (!isRecord(parsed)) return {};
  const { approve, reject } = labelsOf(answer);
  const { mapping } = parsed;
  return !isRecord(mapping) || (mapping['approve'] === approve && mapping['reject'] === reject) ? parsed : {};
}
