/** Two tools of this page for agents: one reads; the other changes something and asks for confirmation first. */
import type { ClientTool } from 'agent-chat-element';

const COLOUR = /^#[0-9a-f]{6}$/i;

const accent = (): HTMLInputElement | null => document.querySelector('#accent');

export const pageTools: readonly ClientTool[] = [
  {
    name: 'get_appearance',
    description: 'Reads the theme and the accent of the page',
    parameters: { type: 'object', properties: {} },
    execute: () => ({ theme: document.documentElement.dataset['theme'] ?? 'auto', accent: accent()?.value }),
  },
  {
    name: 'set_accent',
    description: 'Changes the accent of the page',
    parameters: {
      type: 'object',
      properties: { colour: { type: 'string', description: 'Red, green and blue, such as #2f6b4f' } },
      required: ['colour'],
    },
    needsApproval: true,
    execute(args) {
      const colour = typeof args === 'object' && args !== null && 'colour' in args ? args.colour : undefined;
      if (typeof colour !== 'string' || !COLOUR.test(colour)) throw new Error('The colour has to look like #2f6b4f.');
      const control = accent();
      if (!control) throw new Error('This page has no accent to change.');
      control.value = colour;
      control.dispatchEvent(new Event('input', { bubbles: true }));
      return { accent: colour };
    },
  },
];
