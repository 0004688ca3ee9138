/** The script of `<agent-chat demo>`. */
import { expect } from '@open-wc/testing';
import { answerSteps, others, scenes } from '../../src/agents/demo/scenes.ts';
import { toEvents, type Step } from '../../src/agents/demo/step.ts';
import { reduceMessage } from '../../src/conversation/reduce.ts';
import { llmAgentEvent } from '../../src/model/events/agent-events.ts';
import type { BlockType } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { NOW } from '../support/play-body.ts';

const empty: ChatMessage = { id: 'm', role: 'assistant', status: 'streaming', blocks: [], timestamp: NOW };

function play(steps: readonly Step[]): ChatMessage {
  let count = 0;
  const context = { now: NOW, newId: () => `b${String(++count)}` };
  return toEvents(steps, 'e').reduce((message, { event }) => reduceMessage(message, event, context), empty);
}

/** Of the other two, `search` and `artifact-thinking`, no event makes one: they come with history alone. */
const MADE_BY_EVENTS: readonly BlockType[] = [
  'action',
  'audio',
  'code',
  'command_result',
  'content',
  'data',
  'error',
  'file',
  'image',
  'plan',
  'progress',
  'reasoning_content',
  'status',
  'tool_call',
  'ui',
  'video',
];

describe('the demo’s script', () => {
  const scripts = [
    ...scenes.map((scene) => [...scene.steps(), others(scene)]),
    answerSteps('granted'),
    answerSteps('denied'),
  ];

  it('says what an agent can say', () => {
    for (const { event } of scripts.flatMap((steps) => toEvents(steps, 'e'))) {
      const { error } = llmAgentEvent.safeParse(event);
      expect(error, JSON.stringify(event)).to.equal(undefined);
    }
  });

  it('shows every block that a stream can make', () => {
    const types = new Set(scripts.flatMap((steps) => play(steps).blocks.map(({ type }) => type)));
    expect([...types].sort()).to.deep.equal(MADE_BY_EVENTS);
  });

  it('leads from every scene to the others', () => {
    for (const [index, scene] of scenes.entries()) {
      const labels = play(scripts[index] ?? []).suggestions?.map(({ label }) => label);
      expect(labels).to.deep.equal(scenes.filter((other) => other !== scene).map(({ starter }) => starter.label));
    }
  });

  it('is understood when its scenes are asked for in the words of their buttons', () => {
    for (const scene of scenes)
      expect(scenes.find(({ pattern }) => pattern.test(scene.starter.prompt))).to.equal(scene);
  });
});
