import { isRecord } from '../../model/json.ts';
import { fnvHash } from '../../model/text/fnv-hash.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { toPlainHeaders, type PageHeaders } from '../plain-headers.ts';
import { resolveSetting } from '../request/send-request.ts';

/** The settings of a turn. */
export interface TurnSettings {
  readonly settings: ChatSettings;
  /** The page's current tools: it may add or withdraw some while the turn runs. */
  tools(): Pick<ChatSettings, 'tools' | 'pageTools'>;
  /**
   * The fields of the page's `body` and the `headers` that choose an agent, each with its value. Undefined if nobody knows them:
   * `body` or `headers` is a function, and there was no request yet, as with a restored question.
   */
  agentFields(): readonly string[] | undefined;
}

/** Names of the fields that choose the agent, the app or the model of a server. */
const AGENT_FIELD = /^(agent|app|assistant|bot|crew|flow|graph|model|team|workflow)s?([-_]?(ids?|names?|reference))?$/i;

/** The headers that choose an agent, by their names without `x-`. */
const choicesInHeaders = (headers: PageHeaders | undefined): readonly string[] =>
  Object.entries(toPlainHeaders(headers))
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort()
    .flatMap(([name, value]) => (AGENT_FIELD.test(name.replace(/^x-/, '')) && value ? [`header ${name}`, value] : []));

/** The name and value of a field that chooses an agent. An object, such as OpenAI's `prompt`, is hashed: it may be large or have a key. */
const choiceIn = ([name, value]: [string, unknown]): readonly string[] =>
  !value || !(name === 'prompt' ? isRecord(value) : AGENT_FIELD.test(name))
    ? []
    : [name, typeof value === 'string' ? value : fnvHash(JSON.stringify(value))];

/**
 * Settings whose request fields are the current ones at each request: a key may be renewed, or withdrawn, while a question
 * waits. Once the page has another endpoint, its fields are for that one, and this endpoint gets those of `before`.
 *
 * @param before - the page's settings when the message was sent, or the question restored
 * @param latest - returns the page's current settings
 */
export function settingsOfEndpoint(
  settings: ChatSettings,
  before: ChatSettings,
  latest: () => ChatSettings,
): TurnSettings {
  const { endpoint, protocol, agent } = settings;
  const isNamedIn = ({ endpoint: own, agents = [] }: ChatSettings): boolean =>
    [own, ...agents.map((one) => 'endpoint' in one && one.endpoint)].includes(endpoint);
  const first = latest();
  const known = !isNamedIn(first) && isNamedIn(before) ? before : first;
  const now = (): ChatSettings => {
    const next = latest();
    return isNamedIn(next) ? next : known;
  };
  let sent: { readonly fields: unknown } | undefined;
  let sentHeaders: { readonly headers: PageHeaders | undefined } | undefined;
  return {
    settings: {
      ...settings,
      ...(known === before && { ...before, endpoint, protocol, agent }),
      headers: async (context) => {
        const headers = await resolveSetting('headers', now().headers, context);
        sentHeaders = { headers };
        return headers;
      },
      body: async (context) => {
        const fields = await resolveSetting('body', now().body, context);
        sent = { fields };
        return fields;
      },
      context: (context: Parameters<typeof resolveSetting>[2]) => resolveSetting('context', now().context, context),
      transformRequest: async (request) => (await now().transformRequest?.(request)) ?? request,
    },
    tools: () => {
      const { tools, pageTools } = now();
      // Those of this endpoint which the page still lists, also if it has another endpoint now: what it has withdrawn runs for none.
      const listed = new Set(latest().tools?.map(({ name }) => name));
      return { tools: tools?.filter(({ name }) => listed.has(name)), pageTools };
    },
    agentFields: () => {
      const fields: unknown = sent ? sent.fields : now().body;
      const headers = sentHeaders ? sentHeaders.headers : now().headers;
      if (typeof fields === 'function' || typeof headers === 'function') return undefined;
      const choices = Object.entries(fields ?? {})
        .sort()
        .flatMap(choiceIn);
      return [...choices, ...choicesInHeaders(headers)];
    },
  };
}
