/** Calls a tool: validates the arguments, runs it, and explains errors. */
import {
  type Brickmark,
  BrickmarkError,
  type Budget,
  NetworkError,
} from '../../clients/typescript/src/index.ts';
import { compileArguments } from './arguments.ts';
import { type Tool, ToolRefusal } from './tool.ts';

export interface ToolResult extends Record<string, unknown> {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** The result of charging a tool: what is left, or why it was not charged. */
export type Payment = { readonly budget: Budget } | { readonly refusal: string };

export interface ToolClient {
  readonly brickmark: Brickmark;
  /**
   * Charges all calls of the tool at once, when it has ended; null if it made none. Without it,
   * each call is charged when it is made.
   */
  readonly pay?: () => Promise<Payment | null>;
}

export type CallTool = (given: unknown, client: ToolClient) => Promise<ToolResult>;

/** Faults are thrown; everything else is a result. */
export function compileTool(tool: Tool): CallTool {
  const readArguments = compileArguments(tool.input);
  return async (given, { brickmark, pay }) => {
    const run = async () => tool.run(readArguments(given), brickmark);
    const ran = await run().catch((error: unknown) => ({ error }));
    // A tool that failed may have made calls that are charged, such as for an unknown number.
    const payment = await pay?.();
    if (payment && 'refusal' in payment) return refused(payment.refusal);
    if ('error' in ran) {
      const sentence = sentenceOf(ran.error, tool);
      if (sentence === null) throw ran.error;
      return refused(sentence);
    }
    const budget = payment?.budget ?? brickmark.budget;
    if (!budget) throw new Error(`${tool.name} made no call.`);
    return {
      content: [{ type: 'text', text: `${ran.text}\n${budgetText(budget)}` }],
      structuredContent: { ...(ran.data as object), budget },
    };
  };
}

function refused(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function budgetText({ limit, remaining, reset }: Budget): string {
  return `Budget: ${remaining} of ${limit} calls left until ${reset}.`;
}

/** The error and how to resolve it; null for an internal error. */
function sentenceOf(error: unknown, tool: Tool): string | null {
  if (error instanceof ToolRefusal) return error.message;
  if (error instanceof NetworkError) return `${error.message} Try again in a moment.`;
  return error instanceof BrickmarkError ? apiSentence(error, tool) : null;
}

function apiSentence(error: BrickmarkError, tool: Tool): string {
  const { code, message, budget, requestId } = error;
  switch (code) {
    case 'QuotaExceeded':
      return `${message} ${budget ? untilReset(budget) : ''}`;
    case 'MissingApiKey':
    case 'InvalidApiKey':
      return (
        `${message} It may be mistyped, expired or revoked. The user can create a new key under ` +
        '"API keys" in the web app.'
      );
    case 'TierRequired':
      return `${message} The user's account is on another plan, so no tool works.`;
    case 'NotFound':
      return `${message} ${tool.missingHint ?? findHint} The call was charged.`;
    case 'BadRequest':
      return argumentText(message, tool);
    case 'InternalError':
      return `${message} (Request ${requestId ?? 'unknown'}.)`;
    default:
      return message;
  }
}

const findHint = 'Find numbers with find_items.';

/** Replaces the API's parameter names in a message with the tool's argument names. */
export function argumentText(
  message: string,
  { parameters = {} }: Pick<Tool, 'parameters'>,
): string {
  return message
    .replace(/(?:query|path) parameter '(\w+)'/g, (_, name: string) => {
      return `argument '${parameters[name] ?? name}'`;
    })
    .replace(/^In the body, /, 'In the arguments, ');
}

function untilReset({ remaining, reset }: Budget): string {
  return remaining === 0
    ? `No tool works until then (${reset}).`
    : `Request at most ${remaining} until then (${reset}).`;
}
