// Scans the page that it runs in, and says of each node what it is and where it stands: null for what is not to be seen.
(async (options) => {
  const visible = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let view = element.ownerDocument.defaultView; view !== null; ) {
      for (let around = parentOf(element); around !== null; around = parentOf(around)) {
        if (view.getComputedStyle(around).overflow === 'visible' || around === view.document.documentElement) continue;
        const edge = around.getBoundingClientRect();
        [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
        [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
      }
      element = view.frameElement;
      if (element === null) break;
      // A frame shows a part of its page, below its own border.
      const frame = element.getBoundingClientRect();
      const [x, y] = [frame.left + element.clientLeft, frame.top + element.clientTop];
      [left, right] = [Math.max(left, 0) + x, Math.min(right, element.clientWidth) + x];
      [top, bottom] = [Math.max(top, 0) + y, Math.min(bottom, element.clientHeight) + y];
      view = element.ownerDocument.defaultView;
    }
    const [x, y] = [left + scrollX, top + scrollY];
    const [width, height] = [right - left, bottom - top];
    return width > 1 && height > 1 && x + width > 0 && y + height > 0 ? { x, y, width, height } : null;
  };
  const parentOf = (element) => element.parentElement ?? element.getRootNode().host ?? null;

  const { payload, stats, elements, lines } = await CircuyScan.scan(options);
  return {
    payload,
    stats,
    places: payload.nodes.map(({ id }) => {
      const element = elements.get(id);
      return {
        kind: lines.get(id).split(' ')[1],
        box: element === undefined ? null : visible(element),
      };
    }),
  };
})
