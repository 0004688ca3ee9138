import type { Step } from '../step.ts';

/** One tool fails; the next one reaches the goal another way. */
export const failingTool: readonly Step[] = [
  { type: 'think', stage: 'reasoning', text: 'The summary is ready; it only has to be posted.' },
  {
    type: 'tool',
    id: 'post',
    name: 'post_message',
    description: 'Post to #finance',
    server: 'workspace',
    arguments: { channel: 'finance', text: 'Refund rate in March: 3.4 %, caused by batch TR40-0326.' },
    paces: 25,
    outcome: { failure: { message: 'The bot is not a member of #finance.', code: 'not_in_channel' } },
    summary: 'Not posted',
  },
  {
    type: 'tool',
    id: 'mail',
    name: 'send_mail',
    description: 'Send by mail instead',
    server: 'workspace',
    arguments: { to: 'finance@northwind.example', subject: 'Refund rate in March' },
    paces: 35,
    outcome: { result: { sent: true, recipients: 4 } },
    summary: 'Sent to 4 people',
  },
  {
    type: 'text',
    text: 'I could not post to **#finance**: the bot is not a member of that channel. I sent the summary to `finance@northwind.example` instead, which reaches the same four people.\n\nTo post there next time, somebody has to invite the bot with `/invite @harbor`.\n',
  },
];
