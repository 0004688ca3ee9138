import { expect } from '@open-wc/testing';
import { openSandboxedFrame, type SandboxedFrame } from '../../src/safety/sandboxed-frame.ts';

/** Posts a message as the frame's window would. */
const post = (
  frame: SandboxedFrame,
  data: unknown,
  origin = 'null',
  source: Window | null = frame.element.contentWindow,
): void => {
  dispatchEvent(new MessageEvent('message', { data, origin, source }));
};

describe('openSandboxedFrame()', () => {
  const frames: SandboxedFrame[] = [];
  afterEach(() => {
    for (const frame of frames.splice(0)) frame.close();
  });
  function open(source = '<p>x</p>', kind: 'text/html' | 'image/svg+xml' = 'text/html'): SandboxedFrame {
    const frame = openSandboxedFrame({ kind, source, title: 'Report' }, () => undefined);
    if (!frame) throw new Error('There is no frame.');
    // The real frame page is tested end to end. Here the test posts its messages, through a window that it can access.
    frame.element.removeAttribute('src');
    frame.element.removeAttribute('sandbox');
    document.body.append(frame.element);
    frames.push(frame);
    return frame;
  }
  /** The messages that a frame receives during an action. */
  function messagesDuring(frame: SandboxedFrame, act: () => void): unknown[] {
    const messages: unknown[] = [];
    const { contentWindow } = frame.element;
    if (!contentWindow) throw new Error('The frame has no window.');
    const original = contentWindow.postMessage.bind(contentWindow);
    try {
      Object.defineProperty(contentWindow, 'postMessage', {
        value: (message: unknown) => messages.push(message),
        configurable: true,
      });
      act();
    } finally {
      Object.defineProperty(contentWindow, 'postMessage', { value: original, configurable: true });
    }
    return messages;
  }

  it('runs scripts and has no origin', () => {
    const frame = openSandboxedFrame({ kind: 'text/html', source: 'x', title: 'Report' }, () => undefined);
    const { element } = frame ?? {};
    expect(element?.getAttribute('sandbox')).to.equal('allow-scripts');
    expect(element?.getAttribute('referrerpolicy')).to.equal('no-referrer');
    expect(element?.hasAttribute('srcdoc')).to.equal(false);
    expect(element?.getAttribute('allow')).to.equal(null);
    expect(element?.title).to.equal('Report');
    expect(new URL(element?.src ?? '').pathname).to.match(/\/frame\.html$/);
    frame?.close();
  });

  it('gets its source only when its page reports that it is ready', () => {
    const frame = open('<p>x</p>');
    expect(
      messagesDuring(frame, () => {
        post(frame, { agentChat: 1, type: 'ready' });
      }),
    ).to.deep.equal([{ agentChat: 1, type: 'show', html: '<p>x</p>' }]);
  });

  const strangers: readonly { name: string; act: (frame: SandboxedFrame) => void }[] = [
    {
      name: 'another window',
      act: (frame) => {
        post(frame, { agentChat: 1, type: 'ready' }, 'null', window);
      },
    },
    {
      name: 'no window',
      act: (frame) => {
        post(frame, { agentChat: 1, type: 'ready' }, 'null', null);
      },
    },
    {
      name: 'a page with an origin',
      act: (frame) => {
        post(frame, { agentChat: 1, type: 'ready' }, location.origin);
      },
    },
    {
      name: 'another protocol',
      act: (frame) => {
        post(frame, { type: 'ready' });
      },
    },
    {
      name: 'words',
      act: (frame) => {
        post(frame, 'ready');
      },
    },
    {
      name: 'nothing',
      act: (frame) => {
        post(frame, null);
      },
    },
  ];
  for (const { name, act } of strangers) {
    it(`ignores messages from ${name}`, () => {
      const frame = open();
      expect(
        messagesDuring(frame, () => {
          act(frame);
        }),
      ).to.deep.equal([]);
    });
  }

  const heights: readonly { height: unknown; expected: string }[] = [
    { height: 120.2, expected: '121' },
    { height: 1e9, expected: '20000' },
    { height: -5, expected: '0' },
    { height: '100%', expected: '' },
    { height: Number.NaN, expected: '' },
    { height: Number.POSITIVE_INFINITY, expected: '' },
  ];
  for (const { height, expected } of heights) {
    it(`has the height ${expected || 'auto'} when it asks for ${String(height)}`, () => {
      const frame = open();
      post(frame, { agentChat: 1, type: 'size', height });
      expect(frame.element.height).to.equal(expected);
    });
  }

  it('shows an SVG as an image, without scripts', () => {
    const source =
      '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>x()</script></svg>"><script>x()</script>';
    const frame = open(source, 'image/svg+xml');
    const [message] = messagesDuring(frame, () => {
      post(frame, { agentChat: 1, type: 'ready' });
    }) as { html: string }[];
    const page = new DOMParser().parseFromString(message?.html ?? '', 'text/html');
    expect(page.querySelector('script, svg')).to.equal(null);
    expect(page.querySelector('img')?.src).to.equal(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`);
  });

  it('passes messages to and from an MCP app, and from no other frame', () => {
    const received: unknown[] = [];
    const asApp = openSandboxedFrame(
      { kind: 'text/html', source: 'x', title: '', hear: (message) => received.push(message) },
      () => undefined,
    );
    if (!asApp) throw new Error('There is no frame.');
    asApp.element.removeAttribute('src');
    asApp.element.removeAttribute('sandbox');
    document.body.append(asApp.element);
    frames.push(asApp);
    const answers = messagesDuring(asApp, () => {
      post(asApp, { agentChat: 1, type: 'ready' });
      post(asApp, { agentChat: 1, type: 'app', message: '{"id":1}' });
      post(asApp, { agentChat: 1, type: 'app', message: '{"id":2}' }, 'null', window);
      post(asApp, { agentChat: 1, type: 'app', message: '{"id":3}' }, location.origin);
      asApp.postMessage({ id: 4 });
    });
    expect(received).to.deep.equal([{ id: 1 }]);
    expect(answers).to.deep.equal([
      { agentChat: 1, type: 'show', html: 'x', app: true },
      { agentChat: 1, type: 'app', message: { id: 4 } },
    ]);
    const plain = open();
    post(plain, { agentChat: 1, type: 'app', message: '{"id":5}' });
    expect(received).to.have.length(1);
  });

  for (const { name, message } of [
    { name: 'an object', message: { id: 1 } },
    { name: 'a text that is too long', message: JSON.stringify('x'.repeat(4_000_000)) },
    { name: 'a text that is no JSON', message: '{' },
  ]) {
    it(`rule 60: reads nothing of ${name}, if a frame sends it for an app`, () => {
      const received: unknown[] = [];
      const frame = openSandboxedFrame(
        { kind: 'text/html', source: 'x', title: '', hear: (heard) => received.push(heard) },
        () => undefined,
      );
      if (!frame) throw new Error('There is no frame.');
      frame.element.removeAttribute('src');
      frame.element.removeAttribute('sandbox');
      document.body.append(frame.element);
      frames.push(frame);
      post(frame, { agentChat: 1, type: 'app', message });
      expect(received).to.deep.equal([undefined]);
    });
  }

  it('is not created for a source that is too long', () => {
    const source = 'x'.repeat(2 * 1024 * 1024 + 1);
    expect(openSandboxedFrame({ kind: 'text/html', source, title: '' }, () => undefined)).to.equal(undefined);
  });

  it('ignores messages after it is closed', () => {
    const frame = open();
    frame.close();
    post(frame, { agentChat: 1, type: 'size', height: 100 });
    expect(frame.element.height).to.equal('');
    expect(frame.element.isConnected).to.equal(false);
  });
});
