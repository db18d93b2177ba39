/** Timers as a parameter, so that tests can run them by hand. */

/** Calls `end` after a time; returns a function that cancels it. */
export type StartTimer = (end: () => void, ms: number) => () => void;

export const startTimer: StartTimer = (end, ms) => {
  const timer = setTimeout(end, ms);
  return () => clearTimeout(timer);
};
