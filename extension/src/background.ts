/** Keeps the content script where it belongs: after an install, an update, a permission given or taken back. */
import { askedSite, enableSite, reviewSites } from './sites';

chrome.runtime.onInstalled.addListener(({ reason }) => {
  void reviewSites();
  if (reason === 'install') {
    void chrome.runtime.openOptionsPage();
  }
});

chrome.runtime.onStartup.addListener(() => {
  void reviewSites();
});

chrome.permissions.onAdded.addListener(({ origins = [] }) => {
  void askedSite(origins).then((site) => (site === null ? undefined : enableSite(site)));
});

chrome.permissions.onRemoved.addListener(() => {
  void reviewSites();
});
