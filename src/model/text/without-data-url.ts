/** The base64 of a data URL, which servers and `FileReader` write instead of the base64 alone; other text unchanged. */
export const withoutDataUrl = (data: string): string => data.replace(/^data:[^,]*;base64,/i, '');
