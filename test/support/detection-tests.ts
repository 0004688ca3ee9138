/** Tests of protocol detection with all protocols registered. */
import { expect } from '@open-wc/testing';
import { detectors } from '../../src/protocols/detectors.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { guessByUrl } from '../../src/runtime/stream/detect-protocol.ts';
import { parseJson } from '../../src/model/json.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { chunksOf } from './cuts.ts';
import { findProtocol } from './find-protocol.ts';

interface Rows {
  /** By name: bodies that this protocol, and no other, detects with certainty. */
  readonly own: Readonly<Record<string, string>>;
  /** By name: similar bodies, and the protocol of each. */
  readonly others?: Readonly<Record<string, readonly [body: string, found: string]>>;
  /** Addresses that suggest the protocol before the first request. */
  readonly urls?: readonly string[];
  readonly otherUrls?: readonly string[];
}

export function testDetection(id: string, { own, others = {}, urls = [], otherUrls = [] }: Rows): void {
  describe(`${id}, detection`, () => {
    for (const [name, body] of Object.entries(own)) {
      it(name, async () => {
        expect(await findProtocol(body, protocols.list())).to.equal(id);
        expect(await whoIsSure(body)).to.deep.equal([id]);
      });
    }
    for (const [name, [body, found]] of Object.entries(others)) {
      it(`${name} → ${found}`, async () => {
        expect(await findProtocol(body, protocols.list())).to.match(new RegExp(`^${found}`));
      });
    }
    for (const url of urls) {
      it(url, () => {
        expect(guessByUrl(new URL(url), protocols.list())?.id).to.equal(id);
      });
    }
    for (const url of otherUrls) {
      it(`not ${url}`, () => {
        expect(guessByUrl(new URL(url), protocols.list())?.id).not.to.equal(id);
      });
    }
  });
}

async function whoIsSure(body: string): Promise<readonly string[]> {
  const { framing, batches } = await openFrames(chunksOf([body]));
  const frames = [];
  for await (const batch of batches) frames.push(...batch.map((frame) => ({ ...frame, json: parseJson(frame.data) })));
  const signs = { url: new URL('https://a.example/agent'), headers: new Headers(), framing, frames, ended: true };
  return Object.entries(detectors).flatMap(([id, detect]) => (detect(signs) === 'sure' ? [id] : []));
}
