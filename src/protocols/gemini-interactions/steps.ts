/**
 * Converts the steps of an interaction to events: the model's reasoning, text and calls, and the calls of Google's
 * tools.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';
import { asText } from '../shared/as-text.ts';
import { audioEvents } from '../shared/files/pcm-wav.ts';
import { TextPositions } from '../shared/text-positions.ts';
import type { Annotation, Content, Delta, Step } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** The state that all steps of one interaction share. */
export class SharedStepState {
  readonly newId: () => string;
  /** Ids of the function calls without a result. The page has to run these functions. */
  readonly openCalls = new Set<string>();
  readonly #cited = new Set<string>();
  /** The index of the last step that emitted text. */
  lastTextStep: number | undefined;

  constructor(newId: () => string) {
    this.newId = newId;
  }

  /** Converts annotations to citations. A source that was already cited at the same position is omitted. */
  cite(annotations: readonly Annotation[], text: string): readonly Data[] {
    const positions = new TextPositions().update(annotations.length > 0 ? text : '');
    return annotations
      .flatMap((annotation) => toCitation(annotation, positions))
      .filter(({ citation }) => {
        const key = JSON.stringify([citation.id, citation.start, citation.end]);
        return !this.#cited.has(key) && this.#cited.add(key);
      });
  }
}

/** Converts the events of one step, and stores the state of the step between them. */
export class StepReader {
  readonly #shared: SharedStepState;
  readonly #index: number;
  #type = '';
  #callId = '';
  #text = '';
  /** Converted at the end of the step, because their positions refer to its complete text. */
  #annotations: readonly Annotation[] = [];
  /** Base64 chunks of raw samples, which become one file at the end of the step. */
  #audio: readonly string[] = [];

  constructor(shared: SharedStepState, index: number) {
    this.#shared = shared;
    this.#index = index;
  }

  /** Handles the start of the step, which may already have content. */
  start(step: Step): readonly Data[] {
    this.#type = step.type;
    // The user's own input is already visible.
    if (step.type === 'user_input') return [];
    if (step.type.endsWith('_call')) return this.#startCall(step);
    if (step.type.endsWith('_result')) {
      this.#callId = step.call_id ?? '';
      return this.#endCall(step);
    }
    return [...(step.summary ?? []), ...(step.content ?? [])].flatMap((part) => this.#emitContent(part));
  }

  delta(delta: Delta): readonly Data[] {
    if (this.#type === 'user_input') return [];
    const { type = '', arguments: args } = delta;
    if (type?.endsWith('_call')) return this.#updateCall({ tool_call_params_complete: JSON.stringify(args ?? {}) });
    if (type?.endsWith('_result')) return this.#endCall(delta);
    switch (type) {
      case 'arguments_delta':
        return typeof args === 'string' && args !== '' ? this.#updateCall({ tool_call_params: args }) : [];
      case 'thought_summary':
        return emitReasoning(delta.content?.text);
      case 'text_annotation_delta':
        this.#annotations = [...this.#annotations, ...(delta.annotations ?? [])];
        return [];
      default:
        return this.#emitContent(delta);
    }
  }

  stop(): readonly Data[] {
    const events = [...this.#shared.cite(this.#annotations, this.#text), ...audioEvents(this.#audio)];
    this.#annotations = [];
    this.#audio = [];
    return events;
  }

  #emitContent(part: Content): readonly Data[] {
    this.#annotations = [...this.#annotations, ...(part.annotations ?? [])];
    if (part.type === 'text') return this.#type === 'thought' ? emitReasoning(part.text) : this.#emitText(part.text);
    if (part.type === 'audio' && part.data && /^audio\/(?:l16|pcm)\b/i.test(part.mime_type ?? '')) {
      this.#audio = [...this.#audio, part.data];
      return [];
    }
    return mediaEvents(part);
  }

  #emitText(chunk: string | null | undefined): readonly Data[] {
    if (!chunk) return [];
    // Each step after the first with text starts a text of its own, instead of continuing the previous one.
    const startsNewText = this.#text === '' && this.#shared.lastTextStep !== undefined;
    this.#shared.lastTextStep = this.#index;
    this.#text += chunk;
    return [{ content: chunk, ...(startsNewText && { content_begins: true }) }];
  }

  #startCall(step: Step): readonly Data[] {
    this.#callId = step.id ?? this.#shared.newId();
    const isFunction = step.type === 'function_call';
    if (isFunction) this.#shared.openCalls.add(this.#callId);
    const args = step.arguments ?? {};
    return [
      {
        tool_call: 'start',
        tool_call_id: this.#callId,
        tool_call_name: step.name ?? step.type.replace(/_call$/, ''),
        ...(step.server_name && { tool_call_server_name: step.server_name }),
        ...(Object.keys(args).length > 0 && { tool_call_params_complete: JSON.stringify(args) }),
        ...(!isFunction && { tool_call_remote: true }),
      },
    ];
  }

  #updateCall(params: Data): readonly Data[] {
    return [{ tool_call: 'update', tool_call_id: this.#callId, ...params }];
  }

  #endCall({ result, is_error: failed }: Pick<Delta, 'result' | 'is_error'>): readonly Data[] {
    if (result === undefined || result === null) return [];
    this.#shared.openCalls.delete(this.#callId);
    return [
      {
        tool_call: failed ? 'error' : 'end',
        tool_call_id: this.#callId,
        tool_call_response_complete: resultText(result),
        tool_call_remote: true,
      },
    ];
  }
}

const emitReasoning = (text: string | null | undefined): readonly Data[] => (text ? [{ reasoning_content: text }] : []);

const KINDS: Readonly<Record<string, Media['kind']>> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  document: 'file',
};

function mediaEvents({ type, data, uri, mime_type: mimeType }: Content): readonly Data[] {
  const kind = Object.hasOwn(KINDS, type ?? '') ? KINDS[type ?? ''] : undefined;
  if (!kind || (!data && !uri)) return [];
  return [{ media: { kind, ...(data ? { data } : { url: uri ?? '' }), ...(mimeType && { mimeType }) } }];
}

/** Converts a result to text. Omits the search suggestions: they are HTML under Google's own terms. The sources are in the annotations. */
function resultText(result: unknown): string {
  if (!Array.isArray(result)) return isRecord(result) ? JSON.stringify(result) : asText(result);
  return (result as unknown[])
    .map((item) => {
      if (!isRecord(item)) return asText(item);
      const { search_suggestions: _html, ...rest } = item;
      if (typeof rest['text'] === 'string') return rest['text'];
      return Object.keys(rest).length > 0 ? JSON.stringify(rest) : '';
    })
    .filter(Boolean)
    .join('\n');
}

/** The positions are byte offsets in the UTF-8 text of the step. */
function toCitation(
  { url, title, name, document_uri: documentUri, file_name: fileName, start_index: start, end_index: end }: Annotation,
  positions: TextPositions,
): readonly { readonly citation: NonNullable<Data['citation']> }[] {
  const address = url ?? documentUri;
  const label = title ?? name ?? fileName;
  const id = address ?? label;
  if (!id) return [];
  return [
    {
      citation: {
        id,
        ...(address && /^https?:/i.test(address) && { url: address }),
        ...(label && { title: label }),
        ...(typeof end === 'number' && positionIn(positions, start ?? 0, end)),
      },
    },
  ];
}

function positionIn(
  positions: TextPositions,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } | object {
  if (end <= start || start < 0 || end > positions.bytes) return {};
  return { start: positions.fromBytes(start), end: positions.fromBytes(end) };
}
