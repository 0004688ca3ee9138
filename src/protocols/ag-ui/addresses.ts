/** Addresses of CopilotKit's runtime, which hosts several AG-UI agents. */

/** Whether the URL is the documented one of the runtime. */
export const isRuntimeUrl = (url: string): boolean => /\/copilotkit\/?$/i.test(new URL(url).pathname);

/** The URL of another action of an agent. Undefined if the URL is not that of an agent's runs. */
export function agentActionUrl(url: string, action: string): string | undefined {
  const address = new URL(url);
  const agent = /^(.*\/agent\/[^/]+)\/run\/?$/.exec(address.pathname)?.[1];
  if (agent === undefined) return undefined;
  address.pathname = `${agent}/${action}`;
  return address.href;
}
