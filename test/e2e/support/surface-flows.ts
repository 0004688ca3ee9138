/** Flows of a scripted model that answers with A2UI surfaces, turn by turn. Each server of `surfaces.test.ts` plays them all. */

/** What the model gets: the user's text, or the action of a surface with its data model, if the surface asks for it. */
export interface Turn {
  readonly text: string;
  readonly action?: SurfaceEvent;
  readonly dataModel?: unknown;
}

export interface SurfaceEvent {
  readonly name: string;
  readonly surfaceId: string;
  readonly context: Readonly<Record<string, unknown>>;
}

/** What the model answers: text, a new surface, or operations on one that exists. */
export interface Answer {
  readonly text?: string;
  readonly surface?: NewSurface;
  readonly operations?: readonly object[];
}

export interface NewSurface {
  readonly surfaceId: string;
  readonly components: readonly object[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly sendDataModel?: boolean;
}

export type Model = (turn: Turn) => Answer;

const CATALOG = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';

/** The messages of A2UI 0.9 that create a surface. */
export const toOperations = ({ surfaceId, components, data, sendDataModel }: NewSurface): readonly object[] => [
  { version: 'v0.9', createSurface: { surfaceId, catalogId: CATALOG, ...(sendDataModel && { sendDataModel }) } },
  { version: 'v0.9', updateComponents: { surfaceId, components } },
  ...(data ? [{ version: 'v0.9', updateDataModel: { surfaceId, path: '/', value: data } }] : []),
];

const column = (id: string, ...children: readonly string[]) => ({ id, component: 'Column', children });
const text = (id: string, value: unknown, variant = 'body') => ({ id, component: 'Text', text: value, variant });
const field = (id: string, label: string, path: string, more: object = {}) => ({
  id,
  component: 'TextField',
  label,
  value: { path },
  ...more,
});
const button = (id: string, label: string, event: object, more: object = {}) => [
  { id, component: 'Button', child: `${id}-label`, action: { event }, ...more },
  text(`${id}-label`, label),
];

/** A list of restaurants, the form of the chosen one, and a confirmation. */
export const restaurant: Model = ({ action }) => {
  switch (action?.name) {
    case 'reserve': {
      const { party, when, diet } = action.context;
      return { text: `Reserved for ${String(party)} at ${String(when)}, ${String(diet)}.` };
    }
    case undefined:
      return {
        text: 'These have a table tonight.',
        surface: {
          surfaceId: 'restaurants',
          components: [
            column('root', 'title', 'list'),
            text('title', 'Restaurants', 'h2'),
            { id: 'list', component: 'List', children: { componentId: 'card', path: '/items' } },
            { id: 'card', component: 'Card', child: 'row' },
            { id: 'row', component: 'Row', children: ['name', 'book'] },
            text('name', { path: 'name' }),
            ...button('book', 'Book', { name: 'book', context: { name: { path: 'name' } } }),
          ],
          data: { items: [{ name: 'Trattoria' }, { name: 'Izakaya' }] },
        },
      };
    case 'book':
      return {
        surface: {
          surfaceId: 'booking',
          components: [
            column('root', 'title', 'party', 'when', 'diet', 'submit'),
            text('title', `Book a table at ${String(action.context['name'])}`, 'h2'),
            field('party', 'Party size', '/party', { variant: 'number' }),
            { id: 'when', component: 'DateTimeInput', label: 'Time', value: { path: '/when' }, enableTime: true },
            field('diet', 'Dietary requirements', '/diet'),
            ...button('submit', 'Reserve', {
              name: 'reserve',
              context: { party: { path: '/party' }, when: { path: '/when' }, diet: { path: '/diet' } },
            }),
          ],
          data: { party: '2', when: '', diet: '' },
        },
      };
    default:
      return {};
  }
};

const NAMED = [{ condition: { call: 'required', args: { value: { path: '/name' } } }, message: 'A name, please.' }];

/** One surface that the agent changes in place, and deletes at the end. */
export const signUp: Model = ({ action }) => {
  const surfaceId = 'sign-up';
  switch (action?.name) {
    case undefined:
      return {
        surface: {
          surfaceId,
          components: [
            column('root', 'name', 'next'),
            field('name', 'Name', '/name', { checks: NAMED }),
            ...button('next', 'Next', { name: 'named', context: { name: { path: '/name' } } }, { checks: NAMED }),
          ],
          data: { name: '' },
        },
      };
    case 'named':
      return {
        text: 'Nearly there.',
        operations: [
          {
            version: 'v0.9',
            updateComponents: {
              surfaceId,
              components: [
                column('root', 'greeting', 'done'),
                text('greeting', { path: '/greeting' }, 'h2'),
                ...button('done', 'Create the account', { name: 'done', context: {} }),
              ],
            },
          },
          {
            version: 'v0.9',
            updateDataModel: { surfaceId, path: '/greeting', value: `Welcome, ${String(action.context['name'])}` },
          },
        ],
      };
    default:
      return { text: 'The account exists.', operations: [{ version: 'v0.9', deleteSurface: { surfaceId } }] };
  }
};

/** An order whose data model goes to the agent with each action. */
export const order: Model = ({ action, dataModel }) =>
  action
    ? { text: `Ordered: ${JSON.stringify(dataModel)}.` }
    : {
        surface: {
          surfaceId: 'order',
          sendDataModel: true,
          components: [
            column('root', 'size', 'gift', 'send'),
            {
              id: 'size',
              component: 'ChoicePicker',
              label: 'Size',
              variant: 'mutuallyExclusive',
              value: { path: '/size' },
              options: [
                { label: 'Small', value: 's' },
                { label: 'Large', value: 'l' },
              ],
            },
            { id: 'gift', component: 'CheckBox', label: 'As a gift', value: { path: '/gift' } },
            ...button('send', 'Order', { name: 'order', context: {} }),
          ],
          data: { size: ['s'], gift: false },
        },
      };

/** A list that grows in later turns, while the user types into it. */
export const tasks: Model = ({ action, text: question }) => {
  const surfaceId = 'tasks';
  if (action) {
    const path = `/tasks/${String(action.context['count'])}`;
    const value = { title: action.context['title'] };
    return {
      text: `Added ${String(action.context['title'])}.`,
      operations: [
        { version: 'v0.9', updateDataModel: { surfaceId, path, value } },
        { version: 'v0.9', updateDataModel: { surfaceId, path: '/count', value: Number(action.context['count']) + 1 } },
      ],
    };
  }
  if (question.includes('urgent'))
    return {
      text: 'Marked.',
      operations: [{ version: 'v0.9', updateDataModel: { surfaceId, path: '/tasks/0/title', value: 'Call Ann (!)' } }],
    };
  return {
    surface: {
      surfaceId,
      components: [
        column('root', 'list', 'new', 'add'),
        { id: 'list', component: 'List', children: { componentId: 'task', path: '/tasks' } },
        text('task', { path: 'title' }),
        field('new', 'New task', '/new'),
        ...button('add', 'Add', { name: 'add', context: { title: { path: '/new' }, count: { path: '/count' } } }),
      ],
      data: { tasks: [{ title: 'Call Ann' }], new: '', count: 1 },
    },
  };
};
