// Tells the server the time zone, for accounts that have not chosen one.
const cookie = `brickmark_zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
if (!document.cookie.split('; ').includes(cookie)) {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API
  document.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax${secure}`;
}
