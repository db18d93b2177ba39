/** Invitations: links that create one account each. */
import type { Plan } from '../keys/quota.ts';
import type { TokenHash } from '../sign-in/session.ts';

export interface Invitation {
  readonly id: number;
  readonly plan: Plan;
  /** For the first operator; it is void once there is an operator. */
  readonly isOperator: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface NewInvitation {
  readonly plan: Plan;
  readonly tokenHash: TokenHash;
  readonly at: number;
  readonly expiresAt: number;
}
