import { docsOf, REMEDIES, type FindingId } from '../remedies.ts';

/** One line of the report of `check`. */
export interface Finding {
  /** The name of the check; for a problem, the name of its section in the documentation. */
  readonly id: FindingId | (string & {});
  readonly level: 'ok' | 'warning' | 'failure';
  readonly text: string;
  readonly remedy?: string;
  readonly docs?: string;
}

export const ok = (id: string, text: string): Finding => ({ id, level: 'ok', text });

const wrong =
  (level: 'warning' | 'failure') =>
  (id: FindingId, text: string, more = ''): Finding => ({
    id,
    level,
    text,
    remedy: more === '' ? REMEDIES[id] : `${REMEDIES[id]} ${more}`,
    docs: docsOf(id),
  });
export const warning = wrong('warning');
export const failure = wrong('failure');
