/** Converts the parts of Flowise's events. Source: `docs/protocols/flowise.md`; FlowiseAI/Flowise. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Citation } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import { withQuery } from '../shared/request-urls.ts';
import { parseFlowUrl } from './request.ts';
import { asText } from '../shared/as-text.ts';
import { lenient, lenientRecord, lenientString } from '../shared/lenient.ts';
import { isRecord, parseJson } from '../../model/json.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** Reads a list, which may also be a JSON string. */
export function parseList(data: unknown): readonly unknown[] {
  const value = typeof data === 'string' ? parseJson(data) : data;
  return Array.isArray(value) ? (value as unknown[]).filter((item) => item !== null) : [];
}

const tool = z.looseObject({
  tool: lenientString,
  name: lenientString,
  toolInput: z.exactOptional(z.unknown()),
  args: z.exactOptional(z.unknown()),
  toolOutput: z.exactOptional(z.unknown()),
  error: z.exactOptional(z.unknown()),
});

/**
 * Tracks tool calls. They have no ids, so each gets a generated one. A list is repeated with more entries, or starts again
 * for another agent. `calledTools` announces calls whose results are in `usedTools`.
 */
export function trackFlowiseTools(newId: () => string) {
  /** The entries emitted so far, by list. */
  const emittedLists = new Map<string, readonly string[]>();
  /** The ids of announced calls by name, and how many of them have a result: one list may have thousands of entries. */
  const openCalls = new Map<string, { readonly ids: string[]; ended: number }>();

  const parseTool = (item: unknown) => {
    const result = tool.safeParse(item);
    if (!result.success) return [];
    const { tool: name, name: other, toolInput, args, toolOutput, error } = result.data;
    return [{ name: name ?? other ?? '', params: asText(toolInput ?? args ?? {}), output: toolOutput, error }];
  };
  /** The entries of a list that have not been emitted. */
  const newItems = (list: readonly unknown[], key: string): readonly unknown[] => {
    const emittedList = emittedLists.get(key) ?? [];
    const texts = list.map(asText);
    const shared = Math.min(emittedList.length, texts.length);
    const isContinued = texts.slice(0, shared).every((text, index) => text === emittedList[index]);
    if (isContinued && texts.length < emittedList.length) return [];
    emittedLists.set(key, texts);
    return isContinued ? list.slice(emittedList.length) : list;
  };

  const openCall = (name: string, id: string): void => {
    const open = openCalls.get(name);
    if (open) open.ids.push(id);
    else openCalls.set(name, { ids: [id], ended: 0 });
  };
  const endCall = (name: string): string | undefined => {
    const open = openCalls.get(name);
    return open?.ids[open.ended++];
  };

  return {
    /** Ends the announced calls that never got a result. */
    rest(): readonly Data[] {
      const ids = [...openCalls.values()].flatMap((open) => open.ids.slice(open.ended));
      openCalls.clear();
      return ids.map((id) => ({ tool_call: 'end', tool_call_id: id, tool_call_remote: true }));
    },
    called: (list: readonly unknown[]): readonly Data[] =>
      newItems(list, 'called')
        .flatMap(parseTool)
        .map(({ name, params }) => {
          const id = newId();
          openCall(name, id);
          return {
            tool_call: 'start',
            tool_call_id: id,
            tool_call_name: name,
            tool_call_params: params,
            tool_call_remote: true,
          };
        }),
    used: (list: readonly unknown[], key = 'used'): readonly Data[] =>
      newItems(list, key)
        .flatMap(parseTool)
        .flatMap(({ name, params, output, error }): readonly Data[] => {
          const announced = endCall(name);
          const id = announced ?? newId();
          const call = { tool_call_id: id, tool_call_name: name, tool_call_remote: true };
          const hasError = error !== undefined && error !== null && error !== '' && error !== false;
          const failed = hasError || isToolFailure({}, asText(output ?? ''));
          return [
            ...(announced === undefined ? [{ ...call, tool_call: 'start', tool_call_params: params } as const] : []),
            {
              ...call,
              tool_call: failed ? 'error' : 'end',
              tool_call_response: asText(hasError ? error : (output ?? '')),
            },
          ];
        }),
  };
}

const document = z.looseObject({ pageContent: lenientString, metadata: lenientRecord });

export function documentCitation(item: unknown, index: number): Citation | undefined {
  const parsed = document.safeParse(item);
  if (!parsed.success) return undefined;
  const { pageContent, metadata } = parsed.data;
  const fields = metadata ?? {};
  const [source, title] = [
    [fields['source'], fields['url'], fields['fileName']],
    [fields['title'], fields['fileName'], fields['source']],
  ].map((values) => values.find((value) => typeof value === 'string' && value !== ''));
  const id = typeof source === 'string' ? source : `document ${String(index)}`;
  return {
    id,
    ...(/^https?:\/\//.test(id) && { url: id }),
    ...(typeof title === 'string' && { title }),
    ...(pageContent && { quote: pageContent }),
    extra: fields,
  };
}

const artifact = z.looseObject({ type: lenientString, data: z.exactOptional(z.unknown()), name: lenientString });
/** A file that the server stores. */
const STORED = /^FILE-STORAGE::(.*)$/s;

/** Converts an artifact: an image, a file or text. A stored file has a URL on the server. */
export function artifactEvent(
  item: unknown,
  { url, chatId }: { readonly url: string | undefined; readonly chatId: string },
): Data | undefined {
  const parsed = artifact.safeParse(item);
  if (!parsed.success || typeof parsed.data.data !== 'string') return undefined;
  const { type, data, name } = parsed.data;
  const [, stored] = STORED.exec(data) ?? [];
  if (type === 'html' && stored === undefined) return { content: data, format: 'html' };
  if (type === 'markdown' && stored === undefined) return { content: `\n\n${data}\n\n` };
  const image = /^(?:png|jpe?g|gif|webp|image)/.test(type ?? '');
  if (!image && type !== 'file' && stored === undefined) return { content: `\n\n\`\`\`\n${data}\n\`\`\`\n\n` };
  const kind = image ? 'image' : 'file';
  const label = name ?? stored;
  const address = stored === undefined ? data : storedUrl(stored, url, chatId);
  const inline = image && stored === undefined && !/^(?:https?:|data:|\/)/.test(data);
  return {
    media: {
      kind,
      ...(inline ? { data, mimeType: `image/${type ?? 'png'}` } : { url: address }),
      ...(label && { name: label }),
    },
  };
}

function storedUrl(fileName: string, url: string | undefined, chatId: string): string {
  const flow = parseFlowUrl(url ?? '');
  const query = { chatflowId: flow?.id, chatId, fileName };
  const base = flow
    ? `${flow.api}/get-upload-file`
    : new URL('/api/v1/get-upload-file', url ?? 'https://unknown.invalid').href;
  return withQuery(base, query);
}

const reasoning = z.looseObject({
  agentName: lenientString,
  messages: lenient(z.array(z.unknown())),
  instructions: lenientString,
  nextAgent: lenientString,
  usedTools: lenient(z.array(z.unknown())),
  sourceDocuments: lenient(z.array(z.unknown())),
  artifacts: lenient(z.array(z.unknown())),
});

/** The reasoning and the tool calls of one agent in a multi-agent flow. */
export function parseAgentReasoning(item: unknown) {
  const { agentName, messages, instructions, nextAgent, usedTools, sourceDocuments, artifacts } =
    reasoning.safeParse(item).data ?? {};
  const lines = [...(messages ?? []), instructions].filter((text) => typeof text === 'string' && text !== '');
  return {
    messages: lines.map((text) => `${agentName ? `${agentName}: ` : ''}${String(text)}\n\n`),
    lists: {
      tools: (usedTools ?? []).filter(isRecord),
      documents: (sourceDocuments ?? []).filter(isRecord),
      artifacts: (artifacts ?? []).filter(isRecord),
    },
    next: nextAgent ?? undefined,
  };
}

const action = z.looseObject({
  id: lenientString,
  elements: lenient(z.array(z.object({ type: lenientString, label: lenientString }))),
  mapping: lenient(
    z.looseObject({ toolCalls: lenient(z.array(z.looseObject({ name: lenientString, args: z.unknown() }))) }),
  ),
  data: lenient(
    z.looseObject({
      nodeId: lenientString,
      nodeLabel: lenientString,
      input: lenient(z.looseObject({ humanInputDescription: lenientString })),
    }),
  ),
});

/** The buttons of a waiting flow. `hasText`: the reply already has text, which contains the question. */
export function actionQuestion(value: unknown, hasText: boolean): Data | undefined {
  const json = typeof value === 'string' ? parseJson(value) : value;
  const parsed = action.safeParse(json);
  if (!parsed.success || !parsed.data.elements?.length) return undefined;
  const { id, elements, mapping, data } = parsed.data;
  const labelled = elements.flatMap(({ type, label }) => (label ? [{ type: type ?? '', label }] : []));
  const labelOf = (kind: string): string | undefined => labelled.find(({ type }) => type.includes(kind))?.label;
  const [approve, reject] = ['approve', 'reject'].map(labelOf);
  const isAgentflow2 = labelled.some(({ type }) => type.startsWith('agentflowv2-'));
  const calls = (mapping?.toolCalls ?? []).map(({ name, args }) => `${name ?? ''}(${asText(args)})`).join('\n');
  const description = data?.input?.humanInputDescription?.replace(/<[^<>]*>/g, '').trim();
  const content = calls || (hasText ? undefined : description || data?.nodeLabel);
  return {
    ask: {
      action_type: 'confirmation',
      ...(content && { content }),
      options: labelled.map(({ label }) => ({ label, value: label })),
    },
    request: {
      id: id ?? data?.nodeId ?? 'action',
      extra: {
        ...(approve && { approve }),
        ...(reject && { reject }),
        ...(isAgentflow2 ? { nodeId: data?.nodeId ?? '' } : { action: JSON.stringify(json) }),
      },
    },
  };
}
