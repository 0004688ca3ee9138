/** A frame that takes the focus, for engines in which only the page itself can be scripted. */

/**
 * Takes the focus when no user activation is left: in Firefox, a script of a test counts as activation in the documents
 * around this one, perhaps a moment longer.
 */
const PATIENT = `<!doctype html><input id="inside"><script>
  addEventListener('message', function take({ data }) {
    if (data !== 'take') return;
    if (navigator.userActivation?.isActive) return setTimeout(take, 50, { data });
    setTimeout(() => {
      window.focus();
      inside.focus();
      top.postMessage('tried', '*');
    }, 2000);
  });
  top.postMessage('shown', '*');
</script>`;

/** How long to wait for the focus (ms). */
const FOCUS_TIMEOUT_MS = 120_000;

/**
 * The body of a function that makes three attempts to take the focus from the composer, in the page itself, and returns whether the
 * preview was open after each. `takes`: whether the browser allows them.
 */
export const threeAttempts = (takes: boolean): string => `let step = 'the frame is not shown';
return Promise.race([new Promise((_, reject) => setTimeout(() => reject(new Error('The focus did not move: ' + step)), ${String(FOCUS_TIMEOUT_MS)})), (async () => {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const until = async (done) => { while (!done()) await drawn(); };
  const within = async (milliseconds, done) => {
    const end = performance.now() + milliseconds;
    while (!done() && performance.now() < end) await drawn();
    return done();
  };
  const message = (text) => new Promise((resolve) => addEventListener('message', ({ data }) => data === text && resolve()));
  const blur = () => new Promise((resolve) => addEventListener('blur', resolve, { once: true }));
  await customElements.whenDefined('agent-chat');
  const chat = document.querySelector('agent-chat');
  const find = (selector) => chat.shadowRoot.querySelector(selector);
  const artifact = { identifier: 'a', title: 'Page', type: 'text/html' };
  chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content: ${JSON.stringify(PATIENT).replaceAll('</', '<\\/')}, artifact }] }];
  await until(() => find('agent-chat-artifact button'));
  const shown = message('shown');
  find('agent-chat-artifact button').click();
  await shown;
  const input = find('[part=input]');
  const isBack = () => document.hasFocus() && chat.shadowRoot.activeElement === input;
  const seen = [];
  for (let time = 0; time < 3; time++) {
    step = 'attempt ' + time + ', the page ' + (document.hasFocus() ? 'has' : 'has not') + ' the focus';
    // A script that still counts as a press may move the focus: then the attempt is repeated.
    do {
      input.focus();
      const tried = ${takes ? 'blur()' : "message('tried')"};
      find('iframe').contentWindow.frames[0].postMessage('take', '*');
      await tried;
      step += ', taken';
    } while (!(await within(8000, isBack)));
    await drawn();
    seen.push(find('iframe') ? 'open' : 'closed');
  }
  return seen;
})()])`;
