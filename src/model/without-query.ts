/** An address in an error or a log: a query may hold a key, and errors are stored and exported with the conversation. */
export const withoutQuery = (address: string): string => address.split(/[?#]/, 1)[0] ?? '';
