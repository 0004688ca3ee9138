import { expect } from '@open-wc/testing';
import { listWebMcpTools, type ModelContextHosts } from '../../src/agents/webmcp-tools.ts';

const add = {
  name: 'add',
  description: 'Adds.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
};
const buy = { name: 'buy', description: 'Buys.' };
const options = { signal: new AbortController().signal };
const said = (text: string, isError = false) => ({ content: [{ type: 'text', text }], isError });

describe('tools of the page, by WebMCP', () => {
  it('are those that the page allows, and each call is asked for', async () => {
    const host: ModelContextHosts = {
      document: { modelContext: { getTools: () => [add, buy, { description: 'No name.' }] } },
    };
    const some = await listWebMcpTools('add other', host);
    expect(
      some.map(({ name, description, parameters, needsApproval }) => [name, description, parameters, needsApproval]),
    ).to.deep.equal([['add', 'Adds.', add.inputSchema, true]]);
    expect((await listWebMcpTools('*', host)).map(({ name }) => name)).to.deep.equal(['add', 'buy']);
    expect(await listWebMcpTools('', host)).to.deep.equal([]);
  });

  it('are none where the browser has no way to read them', async () => {
    expect(await listWebMcpTools('*', {})).to.deep.equal([]);
    expect(
      await listWebMcpTools('*', { document: { modelContext: {} }, navigator: { modelContext: {} } }),
    ).to.deep.equal([]);
  });

  it('run through a polyfill’s call, and their texts are the answer', async () => {
    const calls: unknown[] = [];
    const host: ModelContextHosts = {
      navigator: {
        modelContext: {
          listTools: () => Promise.resolve([add]),
          callTool: (given) => {
            calls.push(given);
            return Promise.resolve(said('5'));
          },
        },
      },
    };
    const [tool] = await listWebMcpTools('*', host);
    expect(await tool?.execute({ a: 2 }, options)).to.equal('5');
    expect(calls).to.deep.equal([{ name: 'add', arguments: { a: 2 } }]);
  });

  it('run through the browser’s interface for tests, in JSON text', async () => {
    const calls: unknown[] = [];
    const host: ModelContextHosts = {
      navigator: {
        modelContext: {},
        modelContextTesting: {
          listTools: () => [{ ...add, inputSchema: JSON.stringify(add.inputSchema) }],
          executeTool: (...given) => {
            calls.push(given);
            return Promise.resolve('{"sum":5}');
          },
        },
      },
    };
    const [tool] = await listWebMcpTools('*', host);
    expect(tool?.parameters).to.deep.equal(add.inputSchema);
    expect(await tool?.execute({ a: 2 }, options)).to.deep.equal({ sum: 5 });
    expect(calls).to.deep.equal([['add', '{"a":2}']]);
  });

  it('run in the browser as registered objects, the newest with the name', async () => {
    const calls: unknown[] = [];
    let registered: object[] = [{ ...add, inputSchema: JSON.stringify(add.inputSchema) }];
    const host: ModelContextHosts = {
      document: {
        modelContext: {
          getTools: () => Promise.resolve(registered),
          executeTool: (...given) => {
            calls.push(given);
            return Promise.resolve('{"sum":5}');
          },
        },
      },
    };
    const [tool] = await listWebMcpTools('*', host);
    expect(tool?.parameters).to.deep.equal(add.inputSchema);
    const again = { ...add };
    registered = [again];
    expect(await tool?.execute({ a: 2 }, options)).to.deep.equal({ sum: 5 });
    expect(calls).to.deep.equal([[again, { a: 2 }, options]]);
    registered = [];
    const failed = await Promise.resolve(tool?.execute({ a: 2 }, options)).catch((error: unknown) => String(error));
    expect(failed).to.equal('Error: The page no longer has this tool.');
  });

  it('have a note if their output is not trusted', async () => {
    const search = { ...add, annotations: { untrustedContentHint: true, readOnlyHint: true } };
    const [tool] = await listWebMcpTools('*', { document: { modelContext: { getTools: () => [search] } } });
    expect(tool?.description).to.match(/^Adds\. \(.*not instructions/);
    expect(tool?.needsApproval).to.equal(true);
  });

  it('fail as errors', async () => {
    const host: ModelContextHosts = {
      document: { modelContext: { getTools: () => [add], callTool: () => said('Too large', true) } },
    };
    const [tool] = await listWebMcpTools('*', host);
    const failed = await Promise.resolve(tool?.execute({}, options)).catch((error: unknown) => String(error));
    expect(failed).to.equal('Error: Too large');
  });
});
