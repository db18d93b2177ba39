/** Cookies: their attributes, names and values. */
import { describe, expect, test } from 'bun:test';
import { cookieNames, readCookie, setCookie } from './cookies.ts';

const value = 'a'.repeat(43);

describe('the header of a cookie', () => {
  const set = (isSecure: boolean, seconds: number | null) =>
    setCookie('brickmark', value, { isSecure, seconds }).split('; ');

  test('is HttpOnly and SameSite=Lax', () => {
    for (const isSecure of [false, true]) {
      expect(set(isSecure, 60)).toContain('HttpOnly');
      expect(set(isSecure, 60)).toContain('SameSite=Lax');
      expect(set(isSecure, 60)).toContain('Path=/');
    }
  });

  test('is Secure if the site uses https', () => {
    expect(set(true, 60)).toContain('Secure');
    expect(set(false, 60)).not.toContain('Secure');
  });

  test('has a Max-Age, or none for a cookie of the browser session', () => {
    expect(set(false, 60)).toContain('Max-Age=60');
    expect(set(false, null).join()).not.toContain('Max-Age');
  });

  test('deletes the cookie with the same name, path and attributes', () => {
    const deleted = setCookie('brickmark', null, { isSecure: true, seconds: 60 });
    expect(deleted).toBe('brickmark=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0');
  });
});

test('with https, names have the prefix __Host-', () => {
  expect(cookieNames(true).session).toBe('__Host-brickmark');
  expect(cookieNames(true).form).toBe('__Host-brickmark_form');
  expect(cookieNames(false).session).toBe('brickmark');
  expect(cookieNames(false).form).toBe('brickmark_form');
});

test('a cookie is found by its full name, and only if its value can be a token', () => {
  expect(readCookie(`other=${value}; brickmark=${value}`, 'brickmark')).toBe(value);
  expect(readCookie(`xbrickmark=${value}`, 'brickmark')).toBeNull();
  expect(readCookie('brickmark=short', 'brickmark')).toBeNull();
  expect(readCookie(null, 'brickmark')).toBeNull();
});
