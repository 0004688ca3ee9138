import type { RequestOptions } from '../adapter.ts';

/** The system text for protocols that have no place of their own for facts of the page: those stand behind it. */
export function systemText({ system = '', context }: Pick<RequestOptions, 'system' | 'context'>): string {
  if (context === undefined || context === null) return system;
  const facts = typeof context === 'string' ? context : JSON.stringify(context);
  return [system, `Context of the page the user is on:\n${facts}`].filter(Boolean).join('\n\n');
}
