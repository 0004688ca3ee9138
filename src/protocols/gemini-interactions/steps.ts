/**
 * Converts the steps of an interaction to events: the model's reasoning, text and calls, and the calls of Google's
 * tools.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';
import { asText } from '../shared/as-text.ts';
import { audioEvents } from '../shared/files/pcm-wav.ts';
import { TextPositions } from '../shared/text-positions.ts';
import type { Annotation, Content, Delta, Step } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

export interface StepReader {
  /** Handles the start of a step, which may already have content. */
  start(step: Step): readonly Data[];
  delta(delta: Delta): readonly Data[];
  stop(): readonly Data[];
}

/** The shared state of one interaction's steps. */
export function makeSteps(newId: () => string) {
  /** Calls of functions without a result: the page runs them. */
  const open = new Set<string>();
  const cited = new Set<string>();
  let lastTextStep: number | undefined;

  const makeReader = (index: number): StepReader => {
    let type = '';
    let callId = '';
    let text = '';
    let annotations: readonly Annotation[] = [];
    let audio: readonly string[] = [];

    const emitText = (chunk: string | null | undefined): readonly Data[] => {
      if (!chunk) return [];
      const begins = text === '' && lastTextStep !== undefined;
      lastTextStep = index;
      text += chunk;
      return [{ content: chunk, ...(begins && { content_begins: true }) }];
    };
    const emitContent = (part: Content): readonly Data[] => {
      annotations = [...annotations, ...(part.annotations ?? [])];
      if (part.type === 'text') return type === 'thought' ? emitReasoning(part.text) : emitText(part.text);
      if (part.type === 'audio' && part.data && /^audio\/(?:l16|pcm)\b/i.test(part.mime_type ?? '')) {
        audio = [...audio, part.data];
        return [];
      }
      return mediaEvents(part);
    };
    const startCall = (step: Step): readonly Data[] => {
      callId = step.id ?? newId();
      const isOwn = type === 'function_call';
      if (isOwn) open.add(callId);
      const args = step.arguments ?? {};
      return [
        {
          tool_call: 'start',
          tool_call_id: callId,
          tool_call_name: step.name ?? type.replace(/_call$/, ''),
          ...(step.server_name && { tool_call_server_name: step.server_name }),
          ...(Object.keys(args).length > 0 && { tool_call_params_complete: JSON.stringify(args) }),
          ...(!isOwn && { tool_call_remote: true }),
        },
      ];
    };
    const endCall = ({ result, is_error: failed }: Pick<Delta, 'result' | 'is_error'>): readonly Data[] => {
      if (result === undefined || result === null) return [];
      open.delete(callId);
      return [
        {
          tool_call: failed ? 'error' : 'end',
          tool_call_id: callId,
          tool_call_response_complete: resultText(result),
          tool_call_remote: true,
        },
      ];
    };

    return {
      start(step) {
        ({ type } = step);
        // The user's own input is already visible.
        if (type === 'user_input') return [];
        if (type.endsWith('_call')) return startCall(step);
        if (type.endsWith('_result')) {
          callId = step.call_id ?? '';
          return endCall(step);
        }
        return [...(step.summary ?? []), ...(step.content ?? [])].flatMap(emitContent);
      },
      delta(delta) {
        if (type === 'user_input') return [];
        const { type: kind = '', arguments: args } = delta;
        if (kind === 'arguments_delta') {
          return typeof args === 'string' && args !== ''
            ? [{ tool_call: 'update', tool_call_id: callId, tool_call_params: args }]
            : [];
        }
        if (kind?.endsWith('_call')) {
          return [{ tool_call: 'update', tool_call_id: callId, tool_call_params_complete: JSON.stringify(args ?? {}) }];
        }
        if (kind?.endsWith('_result')) return endCall(delta);
        if (kind === 'thought_summary') return emitReasoning(delta.content?.text);
        if (kind === 'text_annotation_delta') {
          annotations = [...annotations, ...(delta.annotations ?? [])];
          return [];
        }
        return emitContent(delta);
      },
      stop() {
        const positions = new TextPositions().update(annotations.length > 0 ? text : '');
        const sources = annotations
          .flatMap((one) => toCitation(one, positions))
          .filter(({ citation }) => {
            const key = JSON.stringify([citation.id, citation.start, citation.end]);
            return !cited.has(key) && cited.add(key);
          });
        const events = [...sources, ...audioEvents(audio)];
        annotations = [];
        audio = [];
        return events;
      },
    };
  };

  return {
    makeReader,
    openCalls: (): readonly string[] => [...open],
    hasText: (): boolean => lastTextStep !== undefined,
  };
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

/** Leaves out the search suggestions: they are HTML under Google's own terms. The sources are in the annotations. */
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
  { url, title, name, document_uri: document, file_name: file, start_index: start, end_index: end }: Annotation,
  positions: TextPositions,
): readonly { readonly citation: NonNullable<Data['citation']> }[] {
  const address = url ?? document;
  const shown = title ?? name ?? file;
  const id = address ?? shown;
  if (!id) return [];
  return [
    {
      citation: {
        id,
        ...(address && /^https?:/i.test(address) && { url: address }),
        ...(shown && { title: shown }),
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
