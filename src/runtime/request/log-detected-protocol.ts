const logged = new Set<string>();

/** Logs the detected protocol once for each endpoint, and how to set it explicitly. */
export function logDetectedProtocol({ origin, pathname }: URL, id: string): void {
  const message = `<agent-chat>: ${origin}${pathname} uses the protocol "${id}". Set protocol="${id}" to skip detection.`;
  if (logged.has(message)) return;
  logged.add(message);
  console.info(message);
}
