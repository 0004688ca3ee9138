/** All hostile content that an agent may send, for every renderer. */
import { htmlAttacks } from '../support/html-attacks.ts';
import { markdownAttacks, type Attack } from '../support/markdown-attacks.ts';
import { foreignPayloads } from './foreign.ts';
import { htmlPayloads } from './html.ts';
import { markdownPayloads } from './markdown.ts';
import { mutationPayloads } from './mutations.ts';
import { namePayloads } from './names.ts';
import type { Payload } from './payload.ts';
import { shownPayloads } from './shown.ts';
import { stylePayloads } from './styles.ts';

const ofAttacks = (family: string, attacks: readonly Attack[]): readonly Payload[] =>
  attacks.map(({ name, input }, index) => ({ id: `${family}-${String(index + 1)}`, note: name, input }));

/** As the text or the reasoning of an answer. */
export const corpus: readonly Payload[] = [
  ...shownPayloads,
  ...markdownPayloads,
  ...htmlPayloads,
  ...stylePayloads,
  ...foreignPayloads,
  ...mutationPayloads,
  ...namePayloads,
  ...ofAttacks('attack', markdownAttacks),
  ...ofAttacks('raw', htmlAttacks),
];
