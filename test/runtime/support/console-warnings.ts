/** What an action writes to the console as warnings. */
export async function warningsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => said.push(text);
  try {
    await act();
  } finally {
    console.warn = warn;
  }
  return said;
}
