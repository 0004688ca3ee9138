/**
 * The script of the agent in `<agent-chat demo>`. Together its scenes contain every block that an agent's stream can
 * create.
 */
import type { Suggestion } from '../../model/blocks.ts';
import { chime, HILLS } from './media.ts';
import { toolCallSteps, step, reasoningSteps, textSteps, type Step } from './step.ts';
import { surface } from './surface.ts';

export interface Scene {
  readonly starter: Suggestion;
  /** Text that selects the scene when the user types instead of pressing the suggestion. */
  readonly pattern: RegExp;
  readonly steps: () => readonly Step[];
}

const answer: Scene = {
  starter: {
    label: 'A finished answer',
    description: 'Thoughts, tools, a table, a chart and sources',
    prompt: 'Why did refunds rise in March?',
  },
  pattern: /refunds|chart|tool|source/i,
  steps: () => [
    step({ phase: { name: 'planning', message: 'Splitting the question' } }),
    ...reasoningSteps('More refunds, or fewer orders? I need both, by product and by week.', 'planning'),
    step({
      plan: [
        { title: 'Compare February with March', state: 'active' },
        { title: 'Find what changed', state: 'pending' },
      ],
    }),
    ...toolCallSteps({
      id: 'orders',
      name: 'query_orders',
      description: 'Query orders',
      arguments: { months: ['2026-02', '2026-03'], group_by: 'product' },
      progress: ['301 of 1,204 rows', '744 of 1,204 rows'],
      result: { products: 3, orders: 8243, refunds: 399 },
      summary: '8,243 orders, 399 refunds',
    }),
    ...toolCallSteps({
      id: 'mail',
      name: 'search_mail',
      description: 'Search the mail',
      arguments: { query: 'buckle' },
      failure: 'The mailbox did not answer within 10 s.',
    }),
    step({
      plan: [
        { title: 'Compare February with March', state: 'done' },
        { title: 'Find what changed', state: 'done' },
      ],
    }),
    ...textSteps(
      '## Refunds rose because of one product\n\nThe rate went from **2.1 %** to **3.4 %**. Almost all of it comes from the ' +
        '*Trail 40*, whose buckle was changed on 3 March. Without it the rate would be 2.2 %.\n\n' +
        '- 212 of 287 refunds name the buckle.\n- Orders grew by 4 %, so volume is not the cause.\n\n',
    ),
    step({
      citation: {
        id: 'log',
        url: 'https://ops.example/changes/trail-40',
        title: 'Change log: Trail 40',
        quote: 'was changed on 3 March',
        anchor: 'quote',
      },
    }),
    step({
      data: {
        data_type: 'dataframe',
        data: {
          name: 'Refunds by product',
          columns: ['Product', 'Orders', 'Refunds', 'March'],
          rows: [
            ['Trail 40 backpack', 1310, 248, '18.9 %'],
            ['Ridge tent', 842, 17, '2.0 %'],
            ['Merino base layer', 6091, 134, '2.2 %'],
          ],
        },
      },
    }),
    step({
      data: {
        data_type: 'chart',
        data: {
          name: 'Refund rate by week',
          type: 'line',
          labels: ['W 7', 'W 8', 'W 9', 'W 10', 'W 11', 'W 12'],
          series: [
            { name: 'All products', data: [2.0, 2.1, 2.2, 2.9, 3.5, 3.7] },
            { name: 'Without Trail 40', data: [2.0, 2.1, 2.1, 2.2, 2.2, 2.3] },
          ],
        },
      },
    }),
    ...textSteps(
      'The query behind it:\n\n```sql\nselect week, count(*) * 100.0 / sum(orders) as rate\nfrom refunds\ngroup by week;\n```\n',
    ),
    step({ phase: { name: 'completed' } }),
  ],
};

const permission: Scene = {
  starter: {
    label: 'A permission',
    description: 'What an agent may do only when you say yes',
    prompt: 'Refund order NW-48213.',
  },
  pattern: /permission|refund order|approv/i,
  steps: () => [
    ...textSteps('The order was delivered on 6 March and not refunded yet.\n\n'),
    step({
      tool_call: 'permission-required',
      tool_call_id: 'refund',
      tool_call_name: 'issue_refund',
      tool_call_params: JSON.stringify({ order: 'NW-48213', amount: '71.00 EUR' }),
      permission_request: {
        toolName: 'issue_refund',
        serverName: 'payments',
        permissionType: 'write',
        description: 'Send 71.00 EUR back to the card ending in 4471',
      },
    }),
  ],
};

const questions: Scene = {
  starter: {
    label: 'Questions and forms',
    description: 'A choice, and a form made of components',
    prompt: 'Book a table for Friday.',
  },
  pattern: /question|form|book|confirm/i,
  steps: () => [
    ...textSteps('Harbor Grill has room on Friday. Tell me how you would like it:\n\n'),
    step({ ui: surface }),
    step({
      ask: {
        action_type: 'question',
        content: 'Or shall I look somewhere else?',
        options: [{ label: 'Closer to the office' }, { label: 'Something cheaper' }, { label: 'No, this one' }],
      },
      request: { id: 'place' },
    }),
  ],
};

const files: Scene = {
  starter: {
    label: 'Code, files and media',
    description: 'A program and what it printed, a picture, a sound',
    prompt: 'Show me code, files and media.',
  },
  pattern: /code|file|media|picture|image|audio|video/i,
  steps: () => [
    ...[0, 1, 2, 3].map((current) =>
      step({
        agent_response: {
          id: 'rules',
          type: 'progress',
          content: { progress: { current, total: 3, message: `${String(current)} of 3 rules` } },
        },
      }),
    ),
    step({
      agent_response: {
        id: 'code',
        type: 'code',
        content: {
          code: {
            language: 'typescript',
            filename: 'outliers.ts',
            content:
              '/** Weeks in which a product stands out. */\nexport const outliers = (weeks: readonly Week[]): readonly Week[] =>\n' +
              '  weeks.filter(({ rate, median }) => rate > 3 * median);\n',
          },
        },
      },
    }),
    step({
      agent_response: {
        id: 'check',
        type: 'command_result',
        content: { commandResult: { success: true, output: 'check outliers.ts\n3 rules, 0 problems\n', exitCode: 0 } },
      },
    }),
    step({
      agent_response: {
        id: 'list',
        type: 'file',
        content: { file: { name: 'refunds.csv', mimeType: 'text/csv', content: 'product,refunds\nTrail 40,248\n' } },
      },
    }),
    ...textSteps('A picture that came with the answer, and one that stays away until you ask for it:\n\n'),
    step({ image_data: { data: HILLS, mimeType: 'image/png' } }),
    step({ media: { kind: 'image', url: 'https://pictures.example/tent.jpg', name: 'A tent' } }),
    step({ media: { kind: 'audio', data: chime(), mimeType: 'audio/wav', name: 'chime.wav' } }),
    step({ media: { kind: 'video', url: 'https://pictures.example/storm.mp4', name: 'storm.mp4' } }),
  ],
};

const trouble: Scene = {
  starter: {
    label: 'When things go wrong',
    description: 'A limit, a wait and an error, in words',
    prompt: 'What does trouble look like?',
  },
  pattern: /trouble|error|wrong|limit|fail/i,
  steps: () => [
    step({
      rate_limit: { providerId: 'demo', qpsLimit: 2, currentQps: 3, queueLength: 4, estimatedWaitTime: 1500 },
    }),
    ...textSteps('Half of an answer that '),
    step({ failure: 'The database behind this agent is away.' }, 900),
  ],
};

export const scenes: readonly Scene[] = [answer, permission, questions, files, trouble];

/** The steps after the user has decided about the permission, or about continuing at the limit. */
export const answerSteps = (decision: string): readonly Step[] =>
  decision === 'granted'
    ? [
        step({ tool_call: 'permission-granted', tool_call_id: 'refund' }),
        ...toolCallSteps({
          id: 'refund',
          name: 'issue_refund',
          description: 'Issue a refund',
          arguments: { order: 'NW-48213', amount: '71.00 EUR' },
          result: { refund: 'RF-90117' },
          summary: 'RF-90117 sent',
        }),
        ...textSteps('Done: **RF-90117** is on its way. I have used all the calls that I may make in one turn.\n\n'),
        step({ maximum_tool_calls_reached: true }),
      ]
    : textSteps('All right, nothing was done.\n');

/** The suggested next questions. */
export const others = (scene: Scene): Step =>
  step({ suggestions: scenes.filter((other) => other !== scene).map(({ starter }) => starter) }, 0);
