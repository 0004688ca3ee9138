import type { RequestOptions } from '../core/adapter.ts';

/** The system text, for protocols without a field for page context: the context is appended to it. */
export function systemText({ system = '', context }: Pick<RequestOptions, 'system' | 'context'>): string {
  if (context === undefined || context === null) return system;
  const contextText = typeof context === 'string' ? context : JSON.stringify(context);
  return [system, `Context of the page the user is on:\n${contextText}`].filter(Boolean).join('\n\n');
}
