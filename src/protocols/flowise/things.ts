/** The things inside Flowise's events, each as we tell it. Source: `flowise.md`, the table of events. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { Citation } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import { withQuery } from '../shared/beside-url.ts';
import { flowOf } from './request.ts';
import { asText } from '../shared/as-text.ts';
import { maybe, maybeRecord, maybeText } from '../shared/maybe.ts';
import { isRecord, parseJson } from '../../model/json.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** A list, which may come as a string of one. */
export function listIn(data: unknown): readonly unknown[] {
  const value = typeof data === 'string' ? parseJson(data) : data;
  return Array.isArray(value) ? (value as unknown[]).filter((item) => item !== null) : [];
}

const tool = z.looseObject({
  tool: maybeText,
  name: maybeText,
  toolInput: z.exactOptional(z.unknown()),
  args: z.exactOptional(z.unknown()),
  toolOutput: z.exactOptional(z.unknown()),
  error: z.exactOptional(z.unknown()),
});

/**
 * Calls of tools. They have no ids: each gets one of ours. A list is sent again with more in it, or begins anew where another
 * agent has called; `calledTools` announces what `usedTools` has the results of.
 */
export function gatherFlowiseTools(newId: () => string) {
  /** By list: what has been told of it. */
  const known = new Map<string, readonly string[]>();
  const open: { readonly id: string; readonly name: string }[] = [];

  const read = (item: unknown) => {
    const result = tool.safeParse(item);
    if (!result.success) return [];
    const { tool: name, name: other, toolInput, args, toolOutput, error } = result.data;
    return [{ name: name ?? other ?? '', params: asText(toolInput ?? args ?? {}), output: toolOutput, error }];
  };
  const news = (list: readonly unknown[], key: string): readonly unknown[] => {
    const before = known.get(key) ?? [];
    const texts = list.map(asText);
    const shared = Math.min(before.length, texts.length);
    const goesOn = texts.slice(0, shared).every((text, index) => text === before[index]);
    if (goesOn && texts.length < before.length) return [];
    known.set(key, texts);
    return goesOn ? list.slice(before.length) : list;
  };

  return {
    /** Those that were announced and never heard of again: a node that only names them. */
    rest: (): readonly Data[] =>
      open.splice(0).map(({ id }) => ({ tool_call: 'end', tool_call_id: id, tool_call_remote: true })),
    called: (list: readonly unknown[]): readonly Data[] =>
      news(list, 'called')
        .flatMap(read)
        .map(({ name, params }) => {
          const id = newId();
          open.push({ id, name });
          return {
            tool_call: 'start',
            tool_call_id: id,
            tool_call_name: name,
            tool_call_params: params,
            tool_call_remote: true,
          };
        }),
    used: (list: readonly unknown[], key = 'used'): readonly Data[] =>
      news(list, key)
        .flatMap(read)
        .flatMap(({ name, params, output, error }): readonly Data[] => {
          const place = open.findIndex((call) => call.name === name);
          const id = place < 0 ? newId() : (open.splice(place, 1)[0]?.id ?? newId());
          const call = { tool_call_id: id, tool_call_name: name, tool_call_remote: true };
          const failed = error !== undefined && error !== null && error !== '' && error !== false;
          return [
            ...(place < 0 ? [{ ...call, tool_call: 'start', tool_call_params: params } as const] : []),
            {
              ...call,
              tool_call: failed ? 'error' : 'end',
              tool_call_response: asText(failed ? error : (output ?? '')),
            },
          ];
        }),
  };
}

const document = z.looseObject({ pageContent: maybeText, metadata: maybeRecord });

export function documentOf(item: unknown, index: number): Citation | undefined {
  const read = document.safeParse(item);
  if (!read.success) return undefined;
  const { pageContent, metadata } = read.data;
  const facts = metadata ?? {};
  const [source, title] = [
    [facts['source'], facts['url'], facts['fileName']],
    [facts['title'], facts['fileName'], facts['source']],
  ].map((values) => values.find((value) => typeof value === 'string' && value !== ''));
  const id = typeof source === 'string' ? source : `document ${String(index)}`;
  return {
    id,
    ...(/^https?:\/\//.test(id) && { url: id }),
    ...(typeof title === 'string' && { title }),
    ...(pageContent && { quote: pageContent }),
    extra: facts,
  };
}

const artifact = z.looseObject({ type: maybeText, data: z.exactOptional(z.unknown()), name: maybeText });
const STORED = /^FILE-STORAGE::(.*)$/s;

/** A picture, a file, or text of some form. Stored ones have an address on the server. */
export function artifactOf(
  item: unknown,
  { url, chatId }: { readonly url: string | undefined; readonly chatId: string },
): Data | undefined {
  const read = artifact.safeParse(item);
  if (!read.success || typeof read.data.data !== 'string') return undefined;
  const { type, data, name } = read.data;
  const [, stored] = STORED.exec(data) ?? [];
  if (type === 'html' && stored === undefined) return { content: data, format: 'html' };
  if (type === 'markdown' && stored === undefined) return { content: `\n\n${data}\n\n` };
  const image = /^(?:png|jpe?g|gif|webp|image)/.test(type ?? '');
  if (!image && type !== 'file' && stored === undefined) return { content: `\n\n\`\`\`\n${data}\n\`\`\`\n\n` };
  const kind = image ? 'image' : 'file';
  const called = name ?? stored;
  const address = stored === undefined ? data : storedUrl(stored, url, chatId);
  const inline = image && stored === undefined && !/^(?:https?:|data:|\/)/.test(data);
  return {
    media: {
      kind,
      ...(inline ? { data, mimeType: `image/${type ?? 'png'}` } : { url: address }),
      ...(called && { name: called }),
    },
  };
}

function storedUrl(fileName: string, url: string | undefined, chatId: string): string {
  const flow = flowOf(url ?? '');
  const query = { chatflowId: flow?.id, chatId, fileName };
  const base = flow
    ? `${flow.api}/get-upload-file`
    : new URL('/api/v1/get-upload-file', url ?? 'https://unknown.invalid').href;
  return withQuery(base, query);
}

const reasoning = z.looseObject({
  agentName: maybeText,
  messages: maybe(z.array(z.unknown())),
  instructions: maybeText,
  nextAgent: maybeText,
  usedTools: maybe(z.array(z.unknown())),
  sourceDocuments: maybe(z.array(z.unknown())),
  artifacts: maybe(z.array(z.unknown())),
});

/** What one agent of several has thought and done. */
export function reasoningOf(item: unknown) {
  const { agentName, messages, instructions, nextAgent, usedTools, sourceDocuments, artifacts } =
    reasoning.safeParse(item).data ?? {};
  const words = [...(messages ?? []), instructions].filter((text) => typeof text === 'string' && text !== '');
  return {
    messages: words.map((text) => `${agentName ? `${agentName}: ` : ''}${String(text)}\n\n`),
    lists: {
      tools: (usedTools ?? []).filter(isRecord),
      documents: (sourceDocuments ?? []).filter(isRecord),
      artifacts: (artifacts ?? []).filter(isRecord),
    },
    next: nextAgent ?? undefined,
  };
}

const action = z.looseObject({
  id: maybeText,
  elements: maybe(z.array(z.object({ type: maybeText, label: maybeText }))),
  mapping: maybe(z.looseObject({ toolCalls: maybe(z.array(z.looseObject({ name: maybeText, args: z.unknown() }))) })),
  data: maybe(
    z.looseObject({
      nodeId: maybeText,
      nodeLabel: maybeText,
      input: maybe(z.looseObject({ humanInputDescription: maybeText })),
    }),
  ),
});

/** The buttons of a flow that waits. `said`: the question was told as text already. */
export function actionOf(value: unknown, said: boolean): Data | undefined {
  const json = typeof value === 'string' ? parseJson(value) : value;
  const read = action.safeParse(json);
  if (!read.success || !read.data.elements?.length) return undefined;
  const { id, elements, mapping, data } = read.data;
  const labelled = elements.flatMap(({ type, label }) => (label ? [{ type: type ?? '', label }] : []));
  const labelOf = (kind: string): string | undefined => labelled.find(({ type }) => type.includes(kind))?.label;
  const [approve, reject] = ['approve', 'reject'].map(labelOf);
  const second = labelled.some(({ type }) => type.startsWith('agentflowv2-'));
  const calls = (mapping?.toolCalls ?? []).map(({ name, args }) => `${name ?? ''}(${asText(args)})`).join('\n');
  const description = data?.input?.humanInputDescription?.replace(/<[^>]*>/g, '').trim();
  const content = calls || (said ? undefined : description || data?.nodeLabel);
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
        ...(second ? { nodeId: data?.nodeId ?? '' } : { action: JSON.stringify(json) }),
      },
    },
  };
}
