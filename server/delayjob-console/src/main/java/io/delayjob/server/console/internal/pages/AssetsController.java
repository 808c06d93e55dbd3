package io.delayjob.server.console.internal.pages;

import java.time.Duration;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the script and the style. Their addresses have their version, so browsers keep them. While servers of two releases answer in turn, a page
 * may ask one for the files of the other: it gets its own, which are not kept.
 */
@RestController
@RequestMapping(Pages.PATH)
public final class AssetsController {

    private final Assets assets;

    /** Routes to files. */
    public AssetsController(Assets assets) {
        this.assets = assets;
    }

    @GetMapping("/assets/{version}/{name}")
    ResponseEntity<byte[]> file(
            @PathVariable String version,
            @PathVariable String name,
            @RequestHeader(name = HttpHeaders.ACCEPT_ENCODING, defaultValue = "") String encodings) {
        Assets.Asset asset = assets.find(name);
        if (asset == null) {
            return ResponseEntity.notFound().build();
        }
        boolean zips = encodings.contains("gzip");
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
        if (zips) {
            answer.header(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        boolean kept = version.equals(assets.version());
        return answer.varyBy(HttpHeaders.ACCEPT_ENCODING)
                .contentType(asset.type())
                .cacheControl(
                        kept
                                ? CacheControl.maxAge(Duration.ofDays(365))
                                        .cachePublic()
                                        .immutable()
                                : CacheControl.noStore())
                .body(asset.bytes(zips));
    }
}
