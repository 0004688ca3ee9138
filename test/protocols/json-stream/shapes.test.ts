import { expect } from '@open-wc/testing';
import { adapter as jsonStream } from '../../../src/protocols/json-stream/json-stream.ts';
import { adapter as text } from '../../../src/protocols/text.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import type { ExpectedFields } from '../../support/bare.ts';
import { findProtocol } from '../../support/find-protocol.ts';
import { playBody } from '../../support/play-body.ts';
import { agentShapes } from './agent-shapes.ts';
import { serviceShapes } from './service-shapes.ts';
import { SAID, shapes } from './shapes.ts';

describe('streams of existing servers', () => {
  for (const shape of [...shapes, ...serviceShapes, ...agentShapes]) {
    const { name, body, reasoning = '', tools = [], citations = 0, suggestions = [] } = shape;
    const adapter = shape.isText === true ? text : jsonStream;

    it(name, async () => {
      const [message] = (await playBody(adapter, body)).seen;
      const blocks = (message?.['blocks'] ?? []) as readonly ExpectedFields[];
      const of = (type: string): readonly ExpectedFields[] => blocks.filter((block) => block['type'] === type);
      const joined = (type: string): string =>
        of(type)
          .map(({ content }) => content)
          .join('');
      expect(joined('content')).to.equal(SAID);
      expect(joined('reasoning_content')).to.equal(reasoning);
      expect(of('tool_call').map(({ tool_call: call }) => (call as ExpectedFields)['name'])).to.deep.equal(tools);
      expect(of('content').flatMap((block) => block['citations'] ?? []).length).to.equal(citations);
      expect(
        (message?.['suggestions'] as readonly ExpectedFields[] | undefined)?.map(({ label }) => label) ?? [],
      ).to.deep.equal(suggestions);
      expect(message?.['finish']).to.equal('complete');
      expect(of('error')).to.deep.equal([]);
    });

    it(`${name}, detected`, async () => {
      expect(await findProtocol(body, protocols.list())).to.equal(adapter.id);
    });
  }
});
