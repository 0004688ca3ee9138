import { expect } from '@open-wc/testing';
import { named } from '../support/show.ts';
import { showSurface } from '../support/show-surface.ts';
import { column, components, create, data, text } from '../support/surfaces.ts';

const field = (id: string, label: string, more: object = {}) => ({
  id,
  component: 'TextField',
  label,
  value: { path: `/${id}` },
  ...more,
});
// Its check fails, but an error is only shown once the user has left the field.
const checks = [{ condition: false, message: 'Too short' }];
const password = field('pw', 'Password', { variant: 'obscured', checks });
const comment = field('c', 'Comment');
const form = (children: readonly string[], ...more: readonly object[]) => [
  create(),
  components([{ id: 'root', ...column(...children) }, password, field('b', 'Name'), ...more]),
];

function typeInto(input: HTMLInputElement, value: string): void {
  input.focus();
  input.value = value;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

describe('the focus in a surface that the agent changes', () => {
  for (const { name, before, after } of [
    { name: 'inserts a field before it', before: form(['pw', 'b']), after: form(['c', 'pw', 'b'], comment) },
    { name: 'sends a field before it late', before: form(['c', 'pw', 'b']), after: form(['c', 'pw', 'b'], comment) },
    { name: 'removes the field before it', before: form(['c', 'pw'], comment), after: form(['pw']) },
    { name: 'moves it behind others', before: form(['pw', 'c', 'b'], comment), after: form(['c', 'b', 'pw'], comment) },
    { name: 'moves it before others', before: form(['c', 'b', 'pw'], comment), after: form(['pw', 'c', 'b'], comment) },
    {
      name: 'moves it in a row',
      before: form(['row'], comment, { id: 'row', component: 'Row', children: ['pw', 'c'] }),
      after: form(['row'], comment, { id: 'row', component: 'Row', children: ['c', 'pw'] }),
    },
    {
      name: 'moves it in a list',
      before: form(['list'], comment, { id: 'list', component: 'List', children: ['pw', 'c'] }),
      after: form(['list'], comment, { id: 'list', component: 'List', children: ['c', 'pw'] }),
    },
    {
      name: 'moves it in an unknown component',
      before: form(['x'], comment, { id: 'x', component: 'Grid', children: ['pw', 'c'] }),
      after: form(['x'], comment, { id: 'x', component: 'Grid', children: ['c', 'pw'] }),
    },
  ])
    it(`rule 30: stays in a password field, with what is typed, if the agent ${name}`, async () => {
      const { host, change, focused } = await showSurface(before);
      const input = host.querySelector<HTMLInputElement>('input[type="password"]')!;
      typeInto(input, 'secr');
      input.setSelectionRange(1, 3);
      await host.updateComplete;
      await change(after);
      expect(focused() === input).to.equal(true);
      expect([input.type, input.value, input.selectionStart, input.selectionEnd]).to.deep.equal([
        'password',
        'secr',
        1,
        3,
      ]);
      expect(input.labels?.[0]?.textContent.trim()).to.equal('Password');
      expect(host.querySelectorAll('.ui-problem')).to.have.length(0);
    });

  const alone = (more: object) => [create(), components([{ ...password, ...more, id: 'root' }])];
  const tabbed = (child: string) => [
    create(),
    components([{ id: 'root', component: 'Tabs', tabs: [{ title: 'One', child }] }, password, comment]),
  ];
  for (const { name, before, after } of [
    {
      name: 'a field of another kind',
      before: form(['pw']),
      after: form(['pw'], { ...password, variant: 'shortText' }),
    },
    {
      name: 'a field with another path',
      before: form(['pw']),
      after: form(['pw'], { ...password, value: { path: '/x' } }),
    },
    { name: 'another root', before: alone({}), after: alone({ variant: 'shortText' }) },
    { name: 'another content of a tab', before: tabbed('pw'), after: tabbed('c') },
    { name: 'another field', before: form(['pw']), after: form(['c'], comment) },
  ])
    it(`rule 30: is not in ${name} where a password field was`, async () => {
      const { host, change, focused } = await showSurface(before);
      const input = host.querySelector<HTMLInputElement>('input[type="password"]')!;
      typeInto(input, 'secr');
      await host.updateComplete;
      await change(after);
      expect(input.isConnected).to.equal(false);
      // The widget moves the focus to the transcript, which is no field.
      expect(focused()?.matches('input, textarea') ?? false).to.equal(false);
    });

  it('rule 103: stays on a button that the agent moves', async () => {
    const buttons = (...children: readonly string[]) => [
      create(),
      components([
        { id: 'root', component: 'Row', children },
        ...['Cancel', 'Pay 999'].flatMap((label) => [
          text(`${label}-label`, label),
          { id: label, component: 'Button', child: `${label}-label`, action: { event: { name: label } } },
        ]),
      ]),
    ];
    const { host, change, focused } = await showSurface(buttons('Cancel', 'Pay 999'));
    const cancel = named(host, 'Cancel');
    cancel.focus();
    await change(buttons('Pay 999', 'Cancel'));
    expect(focused() === cancel && named(host, 'Cancel') === cancel).to.equal(true);
  });

  it('stays on an option before which the agent inserts others', async () => {
    const choice = (...options: readonly string[]) => [
      create(),
      components([
        {
          id: 'root',
          component: 'ChoicePicker',
          label: 'Plan',
          value: { path: '/plan' },
          options: options.map((value) => ({ label: value, value })),
        },
      ]),
      data('/', { plan: [] }),
    ];
    const { host, change, focused } = await showSurface(choice('Free', 'Team'));
    const label = (): string | undefined => focused()?.parentElement?.textContent.trim();
    host.querySelector('input')?.focus();
    expect(label()).to.equal('Free');
    await change(choice('Gold', 'Free', 'Team'));
    expect(label()).to.equal('Free');
  });

  it('an unbound input keeps what is typed if the agent inserts another before it', async () => {
    const unbound = { id: 'u', component: 'TextField', label: 'Note' };
    const { host, change } = await showSurface(form(['u'], unbound));
    typeInto(host.querySelector('input')!, 'mine');
    await host.updateComplete;
    await change(form(['c', 'u'], unbound, comment));
    expect([...host.querySelectorAll('input')].map(({ value }) => value)).to.deep.equal(['', 'mine']);
  });

  it('two choices keep their values if the agent inserts another choice before them', async () => {
    const choice = (id: string) => ({
      id,
      component: 'ChoicePicker',
      label: id,
      value: { path: `/${id}` },
      options: [
        { label: 'Yes', value: 'y' },
        { label: 'No', value: 'n' },
      ],
    });
    const values = data('/', { a: ['y'], b: ['y'], c: ['n'] });
    const all = [choice('a'), choice('b'), choice('c')];
    const { host, change } = await showSurface([...form(['a', 'b'], ...all), values]);
    const checked = (): readonly boolean[] => [...host.querySelectorAll('input')].map((input) => input.checked);
    expect(checked()).to.deep.equal([true, false, true, false]);
    await change([...form(['c', 'a', 'b'], ...all), values]);
    expect(checked()).to.deep.equal([false, true, true, false, true, false]);
  });
});
