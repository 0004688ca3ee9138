/** A time in milliseconds, or another one where it is none: a time outside of the range of dates cannot be formatted. */
export const validTime = <Time>(time: Time | undefined, otherwise: Time): Time =>
  time != null && Number.isFinite(new Date(time as number).getTime()) ? time : otherwise;
