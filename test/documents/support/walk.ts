/**
 * Walks a source document in its order: each thing that it describes is a test, below its heading. Where the widget
 * deliberately does otherwise, the reason is part of the name, and the test verifies what it does instead.
 */
import { expect } from '@open-wc/testing';
import type { Adapter, Turn } from '../../../src/protocols/core/adapter.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { bareMessage, type ExpectedFields } from '../../support/bare.ts';
import { conversation } from '../../support/messages.ts';
import { emptyTurn, playBody, requestOptions } from '../../support/play-body.ts';

type Check = () => unknown;
export type Thing = readonly [says: string, check: Check, otherwise?: string];
type Section = readonly [heading: string, ...things: Thing[]];

/** @param least - the number of things that a review has counted in the document */
export function walkDocument(title: string, least: number, sections: readonly Section[]): void {
  describe(title, () => {
    for (const [heading, ...things] of sections) {
      describe(heading, () => {
        for (const [says, check, otherwise] of things) {
          it(otherwise === undefined ? says : `${says} (otherwise: ${otherwise})`, async () => {
            await check();
          });
        }
      });
    }
    it(`contains at least ${String(least)} things`, () => {
      expect(sections.flatMap(([, ...things]) => things).length).to.be.at.least(least);
    });
  });
}

/** The messages that a body results in, however it is cut. */
export const messagesOf = async (adapter: Adapter, body: string): Promise<readonly ExpectedFields[]> =>
  (await playBody(adapter, body)).messages.map(bareMessage);

/** The blocks of the only message that a body results in. */
export async function blocksOf(adapter: Adapter, body: string): Promise<readonly ExpectedFields[]> {
  const [message, ...others] = await messagesOf(adapter, body);
  expect(others, 'other messages').to.deep.equal([]);
  return (message?.['blocks'] ?? []) as readonly ExpectedFields[];
}

/** A thing whose stream results in these blocks. */
export const results =
  (adapter: Adapter, body: string, blocks: readonly ExpectedFields[]): Check =>
  async () => {
    expect(await blocksOf(adapter, body)).to.deep.equal(blocks);
  };

/** The kinds of the warnings about a body. */
export const warningsAbout = async (adapter: Adapter, body: string): Promise<readonly string[]> =>
  (await playBody(adapter, body)).warnings.map(({ kind }) => kind);

/** The body of the request that a conversation results in. */
export async function requestBody(
  adapter: Adapter,
  messages: readonly MessageInput[],
  { turn = {}, ...options }: Partial<Parameters<Adapter['request']>[1]> & { readonly turn?: Partial<Turn> } = {},
): Promise<Record<string, unknown>> {
  const { init } = await adapter.request(
    { ...emptyTurn, messages: conversation(...messages), ...turn },
    { ...requestOptions, ...options },
  );
  return JSON.parse(JSON.stringify(init.body)) as Record<string, unknown>;
}
