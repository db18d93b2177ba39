/** Cookies: out of reach of scripts and of other sites, and only sent where they belong. */
import { describe, expect, test } from 'bun:test';
import { cookieNames, readCookie, setCookie } from './cookies.ts';

const value = 'a'.repeat(43);

describe('a cookie that is set', () => {
  const set = (isSecure: boolean, seconds: number | null) =>
    setCookie('brickmark', value, { isSecure, seconds }).split('; ');

  test('is hidden from scripts and withheld from forms of other sites', () => {
    for (const isSecure of [false, true]) {
      expect(set(isSecure, 60)).toContain('HttpOnly');
      expect(set(isSecure, 60)).toContain('SameSite=Lax');
      expect(set(isSecure, 60)).toContain('Path=/');
    }
  });

  test('only travels over https where the site has it', () => {
    expect(set(true, 60)).toContain('Secure');
    expect(set(false, 60)).not.toContain('Secure');
  });

  test('lasts as long as it is told to, or until the browser is closed', () => {
    expect(set(false, 60)).toContain('Max-Age=60');
    expect(set(false, null).join()).not.toContain('Max-Age');
  });

  test('is taken back by the same name, place and protection', () => {
    const taken = setCookie('brickmark', null, { isSecure: true, seconds: 60 });
    expect(taken).toBe('brickmark=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0');
  });
});

test('with https, names have the prefix that only the site itself can set', () => {
  expect(cookieNames(true).session).toBe('__Host-brickmark');
  expect(cookieNames(true).form).toBe('__Host-brickmark_form');
  expect(cookieNames(false).session).toBe('brickmark');
  expect(cookieNames(false).form).toBe('brickmark_form');
});

test('a cookie is found by its whole name, and only with a value that could be ours', () => {
  expect(readCookie(`other=${value}; brickmark=${value}`, 'brickmark')).toBe(value);
  expect(readCookie(`xbrickmark=${value}`, 'brickmark')).toBeNull();
  expect(readCookie('brickmark=short', 'brickmark')).toBeNull();
  expect(readCookie(null, 'brickmark')).toBeNull();
});
