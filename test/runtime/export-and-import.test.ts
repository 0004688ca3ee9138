import { expect } from '@open-wc/testing';
import { importHere } from '../../src/runtime/export-and-import.ts';

describe('an imported conversation', () => {
  it('has no invisible characters in messages of the user, and unchanged replies', () => {
    const text = 'Hi\u{e0041}\u{e0042} there';
    const data = [
      { role: 'user', content: text },
      { role: 'assistant', content: text },
    ];
    const { path } = importHere(data, 'openai-messages', {});
    const contents = path.map(({ blocks }) => blocks?.map((block) => block.type === 'content' && block.content));
    expect(contents).to.deep.equal([['Hi there'], [text]]);
  });
});
