import { expect } from '@open-wc/testing';
import { resultText, toToolSpec, type ClientTool } from '../../src/agents/tools.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const base = { name: 'weather', description: 'The weather.', execute: () => undefined };
const spec = { name: 'weather', description: 'The weather.', parameters: schema };

describe('specOf()', () => {
  const rows: readonly { readonly name: string; readonly tool: ClientTool }[] = [
    { name: 'a JSON Schema', tool: { ...base, parameters: schema } },
    { name: 'a JSON Schema by its other name', tool: { ...base, inputSchema: schema } },
    { name: 'a schema that shows itself as one', tool: { ...base, parameters: { toJSONSchema: () => schema } } },
    { name: 'the same by its other name', tool: { ...base, inputSchema: { toJSONSchema: () => schema } } },
  ];
  for (const { name, tool } of rows) {
    it(name, () => {
      expect(toToolSpec(tool)).to.deep.equal(spec);
    });
  }

  it('a tool without parameters has no arguments', () => {
    expect(toToolSpec(base)).to.deep.equal({ ...spec, parameters: { type: 'object', properties: {} } });
  });

  it('says nothing of how it runs', () => {
    const tool: ClientTool = { ...base, parameters: schema, needsApproval: true };
    expect(Object.keys(toToolSpec(tool))).to.deep.equal(['name', 'description', 'parameters']);
  });
});

describe('resultText()', () => {
  const rows: readonly { readonly name: string; readonly result: unknown; readonly text: string }[] = [
    { name: 'words', result: 'warm', text: 'warm' },
    { name: 'nothing', result: undefined, text: '' },
    { name: 'null', result: null, text: 'null' },
    { name: 'a number', result: 21, text: '21' },
    { name: 'an object', result: { celsius: 21 }, text: '{"celsius":21}' },
    { name: 'what JSON has no word for', result: Symbol('x'), text: '' },
  ];
  for (const { name, result, text } of rows) {
    it(name, () => {
      expect(resultText(result)).to.equal(text);
    });
  }
});
