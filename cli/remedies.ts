/**
 * The possible problems of a server and their remedies. Each has a section of the same name in
 * `docs/guides/is-my-server-ready.md`.
 */
export const REMEDIES = {
  unreachable: 'Start the server, or correct the address.',
  tls: 'Give the server a certificate that browsers trust for this name, with the whole chain.',
  redirect: 'Use the address that it redirects to: the widget does not send its keys to another address.',
  unauthorized: "Add --header 'authorization: Bearer $TOKEN'. In a page, put the key on your own server.",
  'not-found': 'Is there an agent at this address? Compare the path with the routes of your server.',
  method: 'The address must accept POST.',
  'rate-limit': 'Wait, or raise the limit. Send Retry-After, which the widget counts down.',
  status:
    'Check the log of the server. If the request was not understood, name the protocol with --protocol; a missing field is added with --body \'{"model": "…"}\'.',
  html: 'It is often a login page, a proxy or a wrong path: use the address of the agent itself.',
  empty: 'Send at least one event, and an end.',
  'content-type': 'Send text/event-stream for server-sent events, application/x-ndjson for lines of JSON.',
  unsupported: 'Use a protocol from the list in docs/protocols, or describe yours with --mapping file.json.',
  foreign: 'Point at the agent behind it, over HTTP.',
  slow: 'Send the first event as soon as the request is accepted, for example a status, so that the user sees that it works.',
  buffered:
    'Flush after each event, and switch buffering off in front of the server: X-Accel-Buffering: no (nginx), Cache-Control: no-cache, no-transform.',
  compressed: 'Leave streams uncompressed: Cache-Control: no-transform, or exclude text/event-stream from compression.',
  silent: 'Send a comment (a line ": ping") at least every 15 seconds while the agent works.',
  'end-mark': 'Send the end mark of your protocol; without it a complete reply looks cut off.',
  broken: 'The connection ended in the middle of a reply: check the timeouts of the server and of proxies.',
  timeout: 'Send the first event as soon as the request is accepted, and end the response with the reply.',
  'too-long':
    'End each event with an empty line, each line of JSON with a line break, and send large results as several events (docs/guides/limits.md).',
  endless: 'Send the end mark of your protocol when the agent is done, and close the response.',
  'only-comments': 'Comments keep a connection open and say nothing: send the next event, an error or the end.',
  'agent-error': 'The agent itself reported an error: check the log of the server.',
  'cors-preflight': 'Needed unless the page has the same origin: answer OPTIONS with 204 and the headers.',
  'cors-origin': 'Needed unless the page has the same origin: send the header with every answer, with errors too.',
  'cors-exposed':
    'Needed unless the page has the same origin: a page sees no other header than those that are exposed.',
  'error-form': 'Refuse with a status of 4xx or 5xx and a text for the user: {"error": {"message": "…"}}.',
  'tool-round': 'Accept the result of a tool as the next request, as the protocol writes it, and answer it.',
  resume: 'Continue after the last event that the client has, or send the reply again from its start.',
  disconnect: 'End the work when the connection is closed (AbortSignal, request.is_disconnected, req.on("close")).',
  'second-turn':
    'The second message carries the conversation: accept a list of messages with the roles user and assistant.',
  'unknown-frames': 'They are skipped. If they carry text, describe them with --mapping, or report the protocol to us.',
} as const;

export type FindingId = keyof typeof REMEDIES;

/** The documentation section of a finding. */
export const docsOf = (id: FindingId): string => `docs/guides/is-my-server-ready.md#${id}`;

/** The finding for an HTTP status other than 2xx. */
export function findingOfStatus(status: number): FindingId {
  if (status >= 300 && status < 400) return 'redirect';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'not-found';
  if (status === 405) return 'method';
  return status === 429 ? 'rate-limit' : 'status';
}
