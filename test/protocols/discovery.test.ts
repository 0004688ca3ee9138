import { expect } from '@open-wc/testing';
import { candidatesIn, documentsOf, isDocument, onlyCandidate } from '../../src/protocols/discovery.ts';

const host = 'https://a.example';
const found = (json: unknown, path: string): readonly string[] =>
  candidatesIn(json, new URL(path, host)).map(({ url, protocol }) =>
    `${url.replace(host, '')} ${protocol ?? ''}`.trim(),
  );

describe('discovery', () => {
  const rows: readonly (readonly [name: string, path: string, json: unknown, expected: readonly string[]])[] = [
    ['ADK’s apps', '/adk/list-apps', ['one', 'two'], ['/adk/apps/one adk', '/adk/apps/two adk']],
    ['ADK’s apps, one of which would climb', '/list-apps', ['..', '%2e%2e', 'one'], ['/apps/one adk']],
    ['LangGraph', '/info', { version: '0.4', langgraph_py_version: '1.0' }, ['langgraph']],
    [
      'CopilotKit',
      '/api/copilotkit/info',
      { version: '1.75', agents: { default: { name: 'default' } } },
      ['/api/copilotkit ag-ui'],
    ],
    [
      'Mastra’s agents',
      '/api/agents',
      { weather: { name: 'Weather', tools: {} }, 'a b': { name: 'Other' } },
      ['/api/agents/weather/stream mastra', '/api/agents/a%20b/stream mastra'],
    ],
    ['Agno’s agents', '/agents', [{ id: 'sage', name: 'Sage' }], ['/agents/sage/runs agno']],
    ['Agno’s teams', '/teams', [{ id: 'crew' }], ['/teams/crew/runs agno']],
    [
      'eve',
      '/eve/v1/health',
      { ok: true, status: 'ready', workflowId: 'workflow//eve//workflowEntry' },
      ['/eve/v1/session eve'],
    ],
    ['another server with such an address', '/eve/v1/health', { ok: true, status: 'ready' }, []],
    [
      'the messages of a Cloudflare agent',
      '/agents/clerk/user-7/get-messages?token=k',
      [],
      ['/agents/clerk/user-7?token=k cloudflare-agents'],
    ],
    ['no messages', '/agents/clerk/user-7/get-messages', { error: 'No.' }, []],
    ['a manifest', '/agents', { agents: [{ id: 'x', endpoint: '/chat/x' }] }, ['/chat/x']],
    [
      'an agent card',
      '/.well-known/agent-card.json',
      { name: 'X', url: `${host}/a2a` },
      ['/.well-known/agent-card.json a2a'],
    ],
    ['models', '/v1/models', { data: [{ id: 'm' }] }, ['/v1/chat/completions openai-chat']],
    ['Ollama’s models', '/api/tags', { models: [{ name: 'm' }] }, ['/api/chat ollama']],
    [
      'an OpenAPI description',
      '/openapi.json',
      { openapi: '3.1.0', paths: { '/chat': { post: {} }, '/health': { get: {} }, '/chat/{id}': { post: {} } } },
      ['/chat'],
    ],
    ['an OpenAPI description elsewhere', '/schema', { openapi: '3.1.0', paths: { '/ask': { post: {} } } }, ['/ask']],
    ['something else', '/info', { version: '1' }, []],
    ['no document', '/agents', 'agents', []],
    ['hostile lists', '/agents', [null, 1, [], {}, { id: '../admin' }, { endpoint: 'http://[' }], []],
  ];
  for (const [name, path, json, expected] of rows)
    it(name, () => {
      expect(found(json, path)).to.deep.equal(expected);
    });

  it('reads the address itself, the models of a base address, and every document of a root', () => {
    const paths = (path: string): readonly string[] =>
      documentsOf(new URL(path, host)).map(({ pathname, search }) => pathname + search);
    expect(paths('/agents?x=1')).to.deep.equal(['/agents?x=1']);
    expect(paths('/v1')).to.deep.equal(['/v1/models']);
    expect(paths('/agents/clerk/user-7?token=k')).to.deep.equal([
      '/agents/clerk/user-7?token=k',
      '/agents/clerk/user-7/get-messages?token=k',
    ]);
    expect(paths('/api/agents/weather/stream')).to.deep.equal(['/api/agents/weather/stream']);
    expect(paths('/')).to.include.members(['/info', '/list-apps', '/agents', '/openapi.json', '/eve/v1/health']);
    expect(isDocument(new URL('/list-apps', host))).to.equal(true);
    expect(isDocument(new URL('/chat', host))).to.equal(false);
  });

  it('uses the only agent, but no route that only looks like one', () => {
    const only = (json: unknown, path: string): string | undefined =>
      onlyCandidate(candidatesIn(json, new URL(path, host)))?.url;
    const routes = (...names: readonly string[]) => ({
      openapi: '3.1.0',
      paths: Object.fromEntries(names.map((name) => [name, { post: {} }])),
    });
    expect(only(['one'], '/list-apps')).to.equal(`${host}/apps/one`);
    expect(only(['one', 'two'], '/list-apps')).to.equal(undefined);
    expect(only(routes('/chat'), '/openapi.json')).to.equal(`${host}/chat`);
    expect(only(routes('/agents/delete'), '/openapi.json')).to.equal(undefined);
    expect(only(routes('/chat', '/ask'), '/openapi.json')).to.equal(undefined);
  });
});
