/** Common passwords are rejected, and passphrases are accepted. */
import { expect, test } from 'bun:test';
import { passwordProblem } from './password.ts';

const email = 'Anna.Brick@example.com';

test.each([
  '1234567890',
  '0987654321',
  'aaaaaaaaaa',
  'abababababab',
  'abcdefghij',
  'qwertyuiop',
  'Qwerty12345',
  'abc123abc123',
  '1q2w3e4r5t',
  '1qaz2wsx3edc',
  'Password123',
  'p@ssw0rd2024!',
  'passwordpassword',
  '!!welcome2026',
  'lego123456',
  'Brickmark2026',
  'pass-word.2026',
  // Two characters outside runs, with a run at the end.
  'abcdefgh!?123',
  // Three different characters, and eight repeated ones.
  'aabcbbacca',
  'wxkfjsthwxkfjsth',
])('%p is too easy to guess', (password) => {
  expect(passwordProblem(password, email)).toContain('easy to guess');
});

test.each([email, 'anna.brick1', 'anna.brick135', 'ANNA.BRICK@EXAMPLE.COM!'])(
  '%p is like the email',
  (password) => {
    expect(passwordProblem(password, email)).toContain('your email');
  },
);

test.each([
  'correct horse battery',
  'a long enough password',
  'long enough now',
  'bricks on the shelf',
  'Vq7-pLx2_9nD',
  'ギターを弾く猫と犬だ',
  'lighthouse1987',
  // One more than is rejected: outside runs, different, repeated, after the name in the email.
  'abcdefgh!?;123',
  'aabcbbaccd',
  'wxkfjsthmwxkfjsthm',
  'anna.brick1357',
  '!abcdefgh?;',
  // Runs of two characters are no runs.
  'ab!cd?efgh',
])('%p is accepted', (password) => {
  expect(passwordProblem(password, email)).toBeNull();
});

test('the length counts characters, from 10 to 256', () => {
  expect(passwordProblem('🧱🏠🚗🌲🐈🎸🌙🔑🍎', email)).toBe('Use at least 10 characters.');
  expect(passwordProblem('🧱🏠🚗🌲🐈🎸🌙🔑🍎🚲', email)).toBeNull();
  const long = 'correct horse battery'.repeat(13);
  expect(passwordProblem(long.slice(0, 256), email)).toBeNull();
  expect(passwordProblem(long.slice(0, 257), email)).toBe('Use at most 256 characters.');
});
