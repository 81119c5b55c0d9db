const LOOK_EVERY_MS = 700;

/**
 * Calls `onChange` when the page's path changes without a new page being loaded; the returned function ends it. The
 * page's `history` is left as it is: where the browser does not tell, the path is looked at now and then.
 */
export function watchPath(onChange: () => void): () => void {
  let path = location.pathname;
  const look = () => {
    if (location.pathname !== path) {
      path = location.pathname;
      onChange();
    }
  };
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation !== undefined) {
    navigation.addEventListener('currententrychange', look);
    return () => {
      navigation.removeEventListener('currententrychange', look);
    };
  }
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
  };
}
